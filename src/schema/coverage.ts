import * as z from 'zod'

/** What `skills coverage --json` prints. */

const count = z.int().min(0)

const coveredPartSchema = z.object({
  path: z.string().describe('Relative to the skill.'),
  kind: z
    .enum(['body', 'script', 'reference', 'asset', 'other'])
    .describe(
      'Instructions, a script or other code, a reference to be read, an asset to be used, or what lies elsewhere.',
    ),
  tokens: count.nullable().describe('About what it costs a model to read it; null for what is not read.'),
  evidence: z
    .enum(['run', 'expected', 'named'])
    .nullable()
    .describe(
      'How it is known to be exercised: a stored run loaded or ran it, an eval can pass only with it, or a script that is exercised names it; null where no eval exercises it.',
    ),
})

const skillCoverageSchema = z.object({
  name: z.string(),
  path: z.string().describe('Its folder, relative to the project.'),
  positives: count.describe('How many cases expect it to be selected.'),
  negatives: count.describe('How many expect that it is not.'),
  parts: z.array(coveredPartSchema),
})

export const coverageSchema = z
  .object({
    skills: z.array(skillCoverageSchema),
    parts: count,
    covered: count,
    share: z.number().describe('covered / parts.'),
    min: z.number().nullable().describe('What `--min` asked for.'),
    runs: z.array(z.string()).describe('Stored runs that were read.'),
    similar: z
      .array(
        z.object({
          skills: z.tuple([z.string(), z.string()]),
          overlap: z.number(),
          shared_words: z.array(z.string()),
        }),
      )
      .describe('Skills whose descriptions have most of their words in common.'),
  })
  .meta({ title: 'skills-eval coverage' })

export type Coverage = z.output<typeof coverageSchema>
export type SkillCoverage = z.output<typeof skillCoverageSchema>
export type CoveredPart = z.output<typeof coveredPartSchema>
export type SimilarSkills = Coverage['similar'][number]
export type PartKind = CoveredPart['kind']
export type Evidence = NonNullable<CoveredPart['evidence']>
