import * as z from 'zod'

/** `audit` in run.json: which checks hold for agents that do not do the work. */

const count = z.int().min(0)

const passedBy = z
  .record(z.string(), count)
  .describe('For which of the agents it holds, and in how many of the cases. With `idle` among them it is vacuous.')

const auditGroupSchema = z.object({
  suite: z.string(),
  path: z.string(),
  case: z.string().describe('Id of the case, or of the first of those that one entry of the suite makes.'),
  line: z.int(),
  trigger_only: z
    .literal(true)
    .optional()
    .describe('The cases are queries of `triggers`, each with a line of its own.'),
  cases: count.describe('How many cases the entry makes.'),
  vacuous_cases: count.describe('How many of them pass for an agent that does nothing.'),
  unjudged_cases: count.describe('How many of them could not be judged for that agent.'),
  checks: z.array(
    z.object({
      name: z.string().describe('As it is called in the first of the cases.'),
      kind: z.string(),
      place: z
        .tuple([z.int(), z.int()])
        .optional()
        .describe(
          'Which it is of how many audited checks of its kind in a case, from 1; where an entry makes several.',
        ),
      passed_by: passedBy,
    }),
  ),
})

export const suiteAuditSchema = z.object({
  mode: z.enum(['warn', 'fail']),
  agents: z.record(z.string(), z.string()).describe('The agents that were tried, and what each does.'),
  cases: count.describe('Cases that were audited: each once, whatever the models and trials.'),
  checks: count.describe('Their checks that ask for something.'),
  vacuous_checks: count.describe('Those that hold for an agent that does nothing.'),
  weak_checks: count.describe('Those that hold for another of the agents.'),
  vacuous_cases: count.describe('Cases without any other check.'),
  negative_cases: count.describe('Cases that only forbid something: they are exempt.'),
  unjudged_cases: count.describe('Cases that could not be judged for the agent that does nothing.'),
  groups: z.array(auditGroupSchema).describe('The entries of suites of which there is something to tell.'),
})

export type SuiteAudit = z.output<typeof suiteAuditSchema>
export type AuditGroup = z.output<typeof auditGroupSchema>
