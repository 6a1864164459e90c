import type { EvalCase } from '../core/plan.ts'
import { isRubric } from '../grading/has-rubric.ts'
import type { ActionConstraints } from '../schema/pattern.ts'
import type { Expected } from '../schema/suite.ts'

type FileExpected = NonNullable<Expected['files']>[number]
type OutputCheck = NonNullable<FileExpected['checks']>[number]

/** What is left of a case when that is taken out which holds by its nature where nothing is done. */
export type ProvingPart = {
  /** The case with only those expectations that ask for something. Its constraints stay: they stop an agent. */
  readonly evalCase: EvalCase
  /** Whether it says what must not happen: of skills, actions, tools or files. A budget alone says nothing of the kind. */
  readonly forbids: boolean
  /** How many checks would ask a model: they are not audited. */
  readonly judged: number
}

/**
 * Parts a case into what asks for something and what only forbids: `skills: []` and `excludes`, `never`, `only`,
 * `before`, `no_loops`, `exactly` without patterns, a `count` that 0 satisfies, `forbidden_*`, files that must not
 * exist or must be unchanged. A check with `not` asks for something: an empty answer should not be enough for it.
 */
export const provingPart = (evalCase: EvalCase): ProvingPart => {
  const { expected = {}, constraints = {} } = evalCase
  const skills = askedSkills(expected.skills)
  const actions = askedActions(expected.actions)
  const files = (expected.files ?? []).flatMap(askedOfFile)
  const output = (expected.output ?? []).filter((check) => !isRubric(check))
  const { plan } = expected
  return {
    evalCase: {
      ...evalCase,
      expected: {
        ...(skills === undefined ? {} : { skills }),
        ...(actions === undefined ? {} : { actions }),
        ...(output.length === 0 ? {} : { output }),
        ...(files.length === 0 ? {} : { files }),
        ...(plan === undefined ? {} : { plan }),
      },
    },
    forbids:
      forbidsSkills(expected.skills) ||
      forbidsActions(expected.actions) ||
      (expected.files ?? []).some(({ exists, unchanged }) => exists === false || unchanged === true) ||
      (constraints.forbidden_tools ?? []).length + (constraints.forbidden_skills ?? []).length > 0,
    judged: [...(expected.output ?? []), ...(expected.files ?? []).flatMap(checksOfFile)].filter(isRubric).length,
  }
}

const askedSkills = (skills: Expected['skills']): Expected['skills'] => {
  if (skills === undefined || Array.isArray(skills)) return skills?.length === 0 ? undefined : skills
  return skills.includes?.length ? { includes: skills.includes } : undefined
}

const forbidsSkills = (skills: Expected['skills']): boolean =>
  Array.isArray(skills) ? skills.length === 0 : (skills?.excludes ?? []).length > 0

const askedActions = (actions: ActionConstraints | undefined): ActionConstraints | undefined => {
  if (actions === undefined) return undefined
  const { in_order, any_order, exactly } = actions
  const subagents = Object.entries(actions.subagents ?? {}).flatMap(([name, one]) => {
    const asked = askedActions(one)
    return asked === undefined ? [] : [[name, asked] as const]
  })
  const count = (actions.count ?? []).filter((one) => !holdsForNone(one))
  const asked = {
    ...(in_order === undefined ? {} : { in_order }),
    ...(exactly?.length ? { exactly } : {}),
    ...(any_order === undefined ? {} : { any_order }),
    ...(count.length === 0 ? {} : { count }),
    ...(subagents.length === 0 ? {} : { subagents: Object.fromEntries(subagents) }),
  }
  return Object.keys(asked).length === 0 ? undefined : asked
}

const holdsForNone = ({ min = 0, equals = 0 }: NonNullable<ActionConstraints['count']>[number]): boolean =>
  min === 0 && equals === 0

const forbidsActions = (actions: ActionConstraints | undefined): boolean => {
  if (actions === undefined) return false
  const { only, never, before, no_loops, exactly, count, subagents = {} } = actions
  if (Object.values(subagents).some(forbidsActions)) return true
  const lists = [only, never, before].some((list) => list !== undefined)
  return lists || no_loops !== undefined || exactly?.length === 0 || (count ?? []).some(holdsForNone)
}

/** An entry that says nothing else than a path asks that the file exists: one that loses all it says is left out. */
const askedOfFile = (file: FileExpected): FileExpected[] => {
  const { unchanged, checks, ...rest } = file
  if (file.exists === false) return []
  const own = isRubric(rest) ? withoutJudge(rest) : rest
  const kept = (checks ?? []).filter((check) => !isRubric(check))
  const asked = {
    ...own,
    ...(unchanged === false ? { unchanged } : {}),
    ...(kept.length === 0 ? {} : { checks: kept }),
  }
  const lost = unchanged === true || own !== rest || kept.length < (checks ?? []).length
  const isBare = Object.keys(asked).every((key) => key === 'path' || key === 'name' || key === 'weight')
  return lost && isBare ? [] : [asked]
}

const checksOfFile = (file: FileExpected): OutputCheck[] => [file, ...(file.checks ?? [])]

const withoutJudge = ({ rubric: _, json_path: __, judges: ___, ...file }: FileExpected): FileExpected => file
