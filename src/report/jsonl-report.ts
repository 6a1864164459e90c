import type { Reporter } from '../core/ports.ts'
import { jsonText } from './json-text.ts'
import { orderedTrial } from './ordered-result.ts'

/** One line for each trial, `{suite, case, model, …trial}`: the shape of results.jsonl, in the order of the run. */
export const jsonlReporter = (): Reporter => {
  let suite = ''
  return {
    start: () => '',
    suite: ({ name }) => {
      suite = name
      return ''
    },
    result: ({ id, model, trials }) =>
      trials.map((trial) => `${jsonText({ suite, case: id, model, ...orderedTrial(trial) })}\n`).join(''),
    end: () => '',
  }
}
