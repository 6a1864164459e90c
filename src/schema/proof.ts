import * as z from 'zod'
import { fullSha256Schema } from './pack.ts'

const sha256 = fullSha256Schema
const count = z.int().min(0)

const provedSkillSchema = z.strictObject({
  name: z.string().min(1).max(64),
  path: z.string().min(1).max(512).describe('Where it lies in the project of the proof.'),
  sha256: sha256.describe("Of the canonical JSON of the skill's files, as the manifest has them."),
})

const provedModelSchema = z.strictObject({
  profile: z.string().min(1),
  provider: z.string().min(1).describe('`mock` is scripted by the suite: it shows the scripts, and no model.'),
  answered: z.array(z.string()).describe('The ids of the models that answered, sorted.'),
  recorded: z.strictObject({ first: z.iso.date(), last: z.iso.date() }).nullable().describe('null: not recorded.'),
})

const provedCaseSchema = z.strictObject({
  suite: z.string().min(1),
  id: z.string().min(1),
  model: z.string().min(1).describe('The profile.'),
  status: z.enum(['passed', 'failed', 'error', 'stale', 'skipped']),
  trials: count,
  passed: count.describe('Trials.'),
  checks: count.describe('How many check results its trials have.'),
})

/** .proof/proof.json of a pack: what was shown of its skills. It holds no time, place or duration of the machine. */
export const proofSchema = z
  .strictObject({
    format: z.literal('skills-eval/proof@1'),
    tool: z.strictObject({ name: z.literal('skills-eval'), version: z.string().max(100) }),
    skills: z.array(provedSkillSchema).min(1).describe('By name.'),
    sources: sha256.describe('Of the suites, the recordings and all else that the proof is run from.'),
    suites: z.array(z.string().min(1)).min(1).describe('Their files in the project of the proof.'),
    models: z.array(provedModelSchema),
    cases: z.array(provedCaseSchema).min(1).describe('In the order in which they run.'),
  })
  .meta({ title: "skills-eval proof of a pack's skills" })

export type Proof = z.output<typeof proofSchema>
export type ProvedModel = z.output<typeof provedModelSchema>
export type ProvedCase = z.output<typeof provedCaseSchema>
