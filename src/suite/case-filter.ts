import { toSkillRef } from '../core/actions.ts'
import { UsageError } from '../core/errors.ts'
import type { EvalCase } from '../core/plan.ts'
import { globFault, isGlob, matchesGlob } from '../lib/glob.ts'
import { skillsNamedBy } from './case-skills.ts'
import { recordOr } from './record.ts'

export type FilterOptions = {
  /**
   * Texts (contained in `suite/case-id`, case ignored), globs, or `=` and the whole of an id, with or without its suite;
   * one of them must match.
   */
  readonly filter?: readonly string[]
  /** Tags, also several with commas between them; a case must have one of them. */
  readonly tags?: readonly string[]
  /** Skills of which a case must name one. */
  readonly skills?: readonly string[]
}

export type CaseFilter = (suite: string, evalCase: EvalCase) => boolean

/** Whether a case is one that was asked for: it must satisfy each kind of filter that is given. Throws a UsageError. */
export const caseFilter = ({ filter = [], tags = [], skills = [] }: FilterOptions): CaseFilter => {
  const names = filter.map(namePredicate)
  const wantedTags = new Set(tags.flatMap((list) => list.split(',').map((tag) => tag.trim())))
  wantedTags.delete('')
  const wantedSkills = skills.map(bareName)
  return (suite, evalCase) => {
    if (names.length > 0 && !names.some((matches) => matches(suite, evalCase.id))) return false
    if (wantedTags.size > 0 && !evalCase.tags.some((tag) => wantedTags.has(tag))) return false
    if (wantedSkills.length === 0) return true
    const named = skillsNamedBy(evalCase)
    return wantedSkills.some((skill) => named.has(skill))
  }
}

const bareName = (skill: string): string => String(recordOr(toSkillRef(skill)).name)

const namePredicate = (pattern: string): ((suite: string, id: string) => boolean) => {
  if (pattern.startsWith('=')) {
    const whole = pattern.slice(1)
    return (suite, id) => id === whole || `${suite}/${id}` === whole
  }
  if (!isGlob(pattern)) {
    const wanted = pattern.toLowerCase()
    return (suite, id) => `${suite}/${id}`.toLowerCase().includes(wanted)
  }
  const fault = globFault(pattern)
  if (fault !== undefined) throw new UsageError('bad_filter', `--filter ${JSON.stringify(pattern)} ${fault}`)
  // What matches the head of an id matches all that is below it: `trigger/*`.
  const whole = pattern.endsWith('/**') ? [pattern] : [pattern, `${pattern}/**`]
  return (suite, id) => whole.some((glob) => matchesGlob(glob, id) || matchesGlob(glob, `${suite}/${id}`))
}
