import type { EvalCase, PlannedCase } from '../core/plan.ts'
import type { ModelAdapter } from '../core/ports.ts'
import type { TrialRow } from '../core/results.ts'
import { hasRubric } from '../grading/has-rubric.ts'
import type { Judge } from '../grading/ports.ts'
import { usageSum } from '../metrics/usage.ts'
import type { RunDeps } from './run-deps.ts'

/** The judge of one attempt at a trial, with what it used up. */
export type TrialJudge = Judge & { spent(): TrialRow['judge'] }

/** Undefined where the case has nothing to judge. A recorded one comes with the model of its trial. */
export const trialJudge = (planned: PlannedCase, model: ModelAdapter, deps: RunDeps): TrialJudge | undefined => {
  if (!hasRubric(planned.evalCase)) return undefined
  const judge = model.recording?.judge ?? deps.openJudge?.(planned)
  if (judge === undefined) return undefined
  const sum = usageSum()
  const models = new Set<string>()
  let isAsked = false
  return {
    request: requestText(planned.evalCase),
    signal: deps.signal,
    model: {
      ...judge,
      generate: async (request, options) => {
        const response = await judge.generate(request, options)
        isAsked = true
        sum.add({ usage: response.usage, cost_usd: response.costUsd })
        if (response.model !== '') models.add(response.model)
        return response
      },
    },
    spent: () => (isAsked ? { profile: judge.profile, models: [...models], ...sum.result() } : undefined),
  }
}

/** The conversation as the judge is told of it. */
const requestText = ({ input }: EvalCase): string =>
  input.length === 1 ? (input[0] ?? '') : input.map((text, i) => `(${i + 1}) ${text}`).join('\n')
