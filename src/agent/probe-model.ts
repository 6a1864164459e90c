import type { RawCall } from '../core/actions.ts'
import type { ModelResponse } from '../core/model.ts'
import type { ModelAdapter } from '../core/ports.ts'

/**
 * Agents that do not do the work, to see which checks hold for them all the same: `idle` answers at once with nothing,
 * `echo` with the request, `all_skills` selects every skill of the index and answers nothing, `wrong_file` writes
 * nonsense to the files that are asked for and answers nothing.
 */
export const probes = ['idle', 'echo', 'all_skills', 'wrong_file'] as const
export type Probe = (typeof probes)[number]

/** Goes into every file: no JSON, no table, no word that somebody might look for. */
const nonsense = 'zxqv zxqv\n'

/** What the probes act upon: the skills that `all_skills` selects, and the files that `wrong_file` writes. */
export type ProbeTargets = { readonly skills: readonly string[]; readonly paths: readonly string[] }

/** A probe as the model of one trial. It contacts nobody and costs nothing. */
export const probeModel = (probe: Probe, targets: ProbeTargets): ModelAdapter => {
  let hasActed = false
  return {
    profile: probe,
    protocol: 'native',
    generate: async ({ view }) => {
      const actions = hasActed ? [] : actionsOf(probe, targets)
      hasActed = true
      return respond(actions.length > 0 ? actions : [answer(probe === 'echo' ? view.input : '')], view.turn)
    },
    close: async () => undefined,
    // What a check proves is found out without anybody outside.
    provided: async () => [],
  }
}

type Action = Omit<RawCall, 'id'>

const answer = (text: string): Action => ({ name: 'final_answer', input: { text } })

const actionsOf = (probe: Probe, { skills, paths }: ProbeTargets): readonly Action[] => {
  switch (probe) {
    case 'idle':
    case 'echo':
      return []
    case 'all_skills':
      return skills.length === 0 ? [] : [{ name: 'select_skills', input: { skills } }]
    case 'wrong_file':
      return paths.map((path) => ({ name: 'write_file', input: { path, content: nonsense } }))
  }
}

const respond = (actions: readonly Action[], turn: number): ModelResponse => ({
  text: '',
  calls: actions.map((action, i) => ({ id: `probe_${turn}_${i + 1}`, ...action })),
  stop: 'tool_use',
  usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 },
  costUsd: 0,
  latencyMs: 0,
  model: 'probe',
})
