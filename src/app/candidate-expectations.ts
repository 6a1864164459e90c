import { actionTypeOf, mainParam } from '../core/actions.ts'
import { type ActionRecord, actionsOf, selectedSkills, type Trajectory } from '../core/trajectory.ts'
import { escapeGlob } from '../lib/glob.ts'
import { extractJson } from '../lib/json.ts'

/** What was seen in a run, in the words in which a suite expects it. Nobody has said yet that it is right. */
export const candidateExpectations = (
  trajectory: Trajectory,
  about: {
    /** Whether there was a skill that could have been selected. */
    readonly hasSkills: boolean
    readonly changed: readonly { readonly path: string; readonly exists: boolean }[]
  },
): Readonly<Record<string, unknown>> => {
  const files = about.changed.filter(({ path }) => path.length <= MAX_MAIN)
  const patterns = actionsOf(trajectory).flatMap(patternOf).slice(0, MAX_PATTERNS)
  const answer = trajectory.filter(({ parent }) => parent === undefined).findLast((event) => event.type === 'answer')
  const output = answer === undefined ? [] : outputChecks(answer.text)
  return {
    ...(about.hasSkills ? { skills: selectedSkills(trajectory) } : {}),
    ...(patterns.length === 0 ? {} : { actions: { in_order: patterns } }),
    ...(output.length === 0 ? {} : { output }),
    ...(files.length === 0 ? {} : { files: files.map(({ path, exists }) => ({ path: escapeGlob(path), exists })) }),
  }
}

const MAX_PATTERNS = 40
const MAX_MAIN = 200

/** The action with its main parameter; what did not come to pass is not expected again. */
const patternOf = ({ action, params, status, skills }: ActionRecord): readonly unknown[] => {
  const type = actionTypeOf(action)
  if (type === undefined || status !== 'ok' || type === 'final_answer') return []
  if (type === 'select_skills') return (skills?.loaded ?? []).map((name) => ({ select_skills: name }))
  if (type === 'update_plan' || type === 'search_skills' || type === 'grep') return [type]
  const main = params[mainParam(type)]
  // A text between slashes would be a regular expression.
  if (typeof main !== 'string' || main === '' || main.startsWith('/') || main.length > MAX_MAIN) return [type]
  // Other texts are compared as they are.
  const isPattern = mainParam(type) === 'path' || mainParam(type) === 'url'
  return [{ [type]: isPattern ? escapeGlob(main) : main }]
}

const MAX_TEXT = 80

/** JSON stays JSON; of a text its first line, whole or as many of its first words as fit. */
const outputChecks = (answer: string): readonly unknown[] => {
  const text = answer.trim()
  if (/^[[{]/.test(text) && extractJson(text).ok) return [{ is_json: true }]
  const [line = ''] = text.split('\n', 1)
  const part = line.length <= MAX_TEXT ? line : line.slice(0, MAX_TEXT).replace(/\s+\S*$/, '')
  return part.trim() === '' ? [] : [{ contains: part.trimEnd() }]
}
