import type { ModelAdapter } from '../core/ports.ts'
import type { RecordingUse } from '../core/results.ts'
import type { JudgeTape } from './judge-tape.ts'

/** A model with the judge of its trial, whose recordings are used or made at the same time. */
export const withJudge = (
  model: ModelAdapter,
  tape: JudgeTape | undefined,
  path: string,
  ended: (() => void) | undefined = undefined,
): ModelAdapter => {
  const ending = ended === undefined ? model : withEnd(model, ended)
  if (tape === undefined) return ending
  const use = (): RecordingUse => {
    const [own, judge] = [model.recording?.use(), tape.use()]
    const modes = [own?.mode, judge.mode]
    const differences = [...(own?.differences ?? []), ...(judge.differences ?? [])]
    return {
      path,
      mode: modes.find((mode) => mode === 'record') ?? modes.find((mode) => mode === 'positional') ?? 'replay',
      stale_parts: [...(own?.stale_parts ?? []), ...judge.stale_parts],
      ...(differences.length === 0 ? {} : { differences }),
    }
  }
  return { ...ending, recording: { tool: (tool) => model.recording?.tool(tool) ?? tool, use, judge: tape.model } }
}

const withEnd = (model: ModelAdapter, ended: () => void): ModelAdapter => ({
  ...model,
  close: async (isInOrder) => {
    try {
      await model.close(isInOrder)
    } finally {
      ended()
    }
  },
})
