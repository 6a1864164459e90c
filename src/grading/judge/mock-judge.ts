import { type JudgeParts, type ModelRequest, type ModelResponse, noAnswer } from '../../core/model.ts'
import type { Clock, ModelAdapter } from '../../core/ports.ts'
import { looselyMatches } from '../../lib/loose-match.ts'
import { RegexTimeout } from '../../lib/regex.ts'
import { countTokens } from '../../lib/tokens.ts'
import type { Price } from '../../schema/config.ts'
import type { MockJudge } from '../../schema/mock.ts'
import { verdictTool } from './judge-request.ts'

export type MockJudgeOptions = {
  readonly profile: string
  readonly protocol: 'native' | 'text'
  readonly latencyMs: number
  readonly price: Price
  readonly clock: Clock
  /** Where its rules are written, as messages call it: a case's `mock_judge`, or the file of an option. */
  readonly rulesIn?: string
}

type Rule = MockJudge[number]
type VerdictRule = Extract<Rule, { readonly verdict: unknown }>
type Said = { readonly text: string } | { readonly verdicts: readonly object[] } | { readonly problem: string }

/**
 * A judge whose verdicts were written down: the first rule that fits a criterion and the material decides it. For one
 * trial; its usage is counted with the offline tokenizer.
 */
export const mockJudge = (rules: MockJudge | undefined, options: MockJudgeOptions): ModelAdapter => {
  const { rulesIn = 'mock_judge' } = options
  const taken = new Map<Rule, number>()
  const isLeft = (rule: Rule): boolean => (taken.get(rule) ?? 0) < (rule.times ?? Number.POSITIVE_INFINITY)
  const take = (rule: Rule): void => void taken.set(rule, (taken.get(rule) ?? 0) + 1)

  const ruleFor = async (criterion: string, material: string): Promise<VerdictRule | undefined> => {
    for (const rule of rules ?? []) {
      if ('verdict' in rule && isLeft(rule) && (await fits(rule, criterion, material))) return rule
    }
    return undefined
  }

  const answer = async ({ criteria, material }: JudgeParts): Promise<Said> => {
    if (rules === undefined) return { problem: `there is no ${rulesIn}: write its verdicts, or choose another judge` }
    const plain = rules.find((rule) => 'answer' in rule && isLeft(rule))
    if (plain !== undefined && 'answer' in plain) {
      take(plain)
      return { text: plain.answer }
    }
    const verdicts: object[] = []
    for (const [i, criterion] of criteria.entries()) {
      const rule = await ruleFor(criterion, material)
      if (rule === undefined)
        return { problem: `no rule of ${rulesIn} fits the criterion ${JSON.stringify(criterion)}` }
      take(rule)
      const { verdict, reason = `as ${rulesIn} says`, quote = verdict === 'pass' ? firstLine(material) : '' } = rule
      verdicts.push({ criterion: i + 1, quote, reason, verdict })
    }
    return { verdicts }
  }

  return {
    profile: options.profile,
    protocol: options.protocol,
    generate: async (request, { signal }) => {
      if (options.latencyMs > 0) await options.clock.sleep(options.latencyMs, signal)
      signal.throwIfAborted()
      try {
        const said = request.judge === undefined ? { problem: 'it is a judge' } : await answer(request.judge)
        return 'problem' in said ? failed('mock_exhausted', said.problem, options) : respond(said, request, options)
      } catch (error) {
        if (error instanceof RegexTimeout)
          return failed('model_error', `a rule of ${rulesIn}: ${error.message}`, options)
        throw error
      }
    },
    close: async () => undefined,
  }
}

const fits = async ({ criterion, material }: VerdictRule, asked: string, text: string): Promise<boolean> =>
  (criterion === undefined || (await looselyMatches(criterion, asked))) &&
  (material === undefined || (await looselyMatches(material, text)))

const firstLine = (text: string): string => text.trim().split('\n', 1)[0]?.trim().slice(0, 200) ?? ''

const respond = (
  said: Exclude<Said, { readonly problem: string }>,
  request: ModelRequest,
  options: MockJudgeOptions,
): ModelResponse => {
  const json = 'verdicts' in said ? JSON.stringify(said) : undefined
  const isCall = json !== undefined && options.protocol === 'native'
  const text = 'text' in said ? said.text : isCall ? '' : (json ?? '')
  const input = countTokens(JSON.stringify([request.system, request.tools, request.messages]))
  const output = countTokens(json ?? text)
  return {
    text,
    calls: isCall ? [{ id: `mock_${request.view.turn}`, name: verdictTool.name, input: said }] : [],
    stop: isCall ? 'tool_use' : 'end',
    usage: { input_tokens: input, output_tokens: output, cached_input_tokens: 0, reasoning_tokens: 0 },
    costUsd: (input * options.price.input + output * options.price.output) / 1_000_000,
    latencyMs: options.latencyMs,
    model: 'mock',
  }
}

const failed = (
  code: 'mock_exhausted' | 'model_error',
  message: string,
  { latencyMs }: MockJudgeOptions,
): ModelResponse => noAnswer({ code, message }, { latencyMs, model: 'mock' })
