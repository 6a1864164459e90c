import * as z from 'zod'

const count = z.int().min(0)
const severitySchema = z.enum(['info', 'low', 'medium', 'high'])

/** What `skills scan --json` prints. */
export const scanSchema = z
  .object({
    format: z.literal('skills-eval/scan@1'),
    skills: z.array(
      z.object({
        name: z.string().describe("The folder's name."),
        path: z.string().describe('The folder, relative to the project where it is inside it.'),
        complete: z.boolean().describe('false where a bound was hit: then it is not known what else there is.'),
        files: count.describe('How many files were looked at.'),
        bytes: count.describe('Their size.'),
        findings: z.array(
          z.object({
            rule: z.string(),
            severity: severitySchema,
            message: z.string(),
            file: z.string(),
            line: z.int().min(1).optional(),
            column: z.int().min(1).optional(),
            excerpt: z.string().optional().describe("The text around it, with what can't be seen written out."),
            count: z.int().min(1).describe('How many places of the file are meant; the first one is told.'),
            advice: z.string(),
            accepted: z.boolean().describe('Named by --accept-risk: it does not count.'),
          }),
        ),
      }),
    ),
    counts: z
      .object({ high: count, medium: count, low: count, info: count, accepted: count })
      .describe('Findings by severity, without those that were accepted.'),
    complete: z.boolean(),
    failed: z.boolean().describe('Whether there is a finding as severe as --fail-on says.'),
  })
  .meta({ title: 'skills-eval scan' })

export type Scan = z.output<typeof scanSchema>
export type ScannedSkill = Scan['skills'][number]
export type ShownFinding = ScannedSkill['findings'][number]
