import type { AgentStop } from '../core/outcome.ts'
import type { Usage } from '../core/trajectory.ts'
import { allInput, allOutput } from '../core/usage.ts'

/** What one agent run may use. `hard` limits are a case's own constraints; the others protect the machine and the purse. */
export type Limits = {
  readonly max_turns?: number
  readonly max_tool_calls?: number
  readonly max_script_runs?: number
  readonly max_input_tokens?: number
  readonly max_output_tokens?: number
  readonly max_tokens?: number
  readonly max_cost_usd?: number
  readonly max_seconds?: number
}

type LimitName = keyof Limits

/** Used where neither the case nor the configuration says anything. */
export const defaultLimits = { max_turns: 25, max_tool_calls: 100, max_script_runs: 50, max_seconds: 600 } as const

const usedBy = {
  max_turns: 'turns',
  max_tool_calls: 'toolCalls',
  max_script_runs: 'scriptRuns',
  max_input_tokens: 'input',
  max_output_tokens: 'output',
} as const

/** Turns of the conversation before, and the budget of the agent that starts this one. */
type BudgetOrigin = { readonly turnsBefore?: number; readonly parent?: Budget }

/** Counts what is used; each question answers with the reason to stop, or undefined. */
export class Budget {
  #ownTurns = 0
  #turns = 0
  readonly #turnsBefore: number
  #toolCalls = 0
  #scriptRuns = 0
  #input = 0
  #output = 0
  #cost: number | null = 0
  readonly #hard: Limits
  readonly #soft: Limits
  readonly #parent: Budget | undefined

  /** A hard limit replaces the soft one of its name: a case may ask for more than the default. Turns before count for none. */
  constructor(hard: Limits, soft: Limits, { turnsBefore = 0, parent }: BudgetOrigin = {}) {
    this.#turnsBefore = turnsBefore
    this.#hard = hard
    this.#soft = { ...defaultLimits, ...soft }
    this.#parent = parent
  }

  /**
   * The turn that is under way, counted from the start of the conversation; turns of sub-agents are not in it, though
   * they are paid for.
   */
  get turns(): number {
    return this.#turnsBefore + this.#ownTurns
  }

  get costUsd(): number | null {
    return this.#cost
  }

  get maxSeconds(): number {
    return this.#hard.max_seconds ?? this.#soft.max_seconds ?? defaultLimits.max_seconds
  }

  /**
   * A budget for a sub-agent: this share of what is left of each limit, at least one of what is counted. What it uses is
   * used here too.
   */
  shareFor(share: number, leftSeconds: number): Budget {
    const limits: Record<string, number> = { max_seconds: leftSeconds * share }
    const used = { turns: this.#turns, toolCalls: this.#toolCalls, scriptRuns: this.#scriptRuns, ...this.#tokens() }
    for (const [name, key] of Object.entries(usedBy)) {
      const max = this.#max(name as LimitName)
      if (max === undefined) continue
      // One turn is kept for the agent itself, to make something of the answer.
      const left = max - used[key] - (name === 'max_turns' ? 1 : 0)
      limits[name] = Math.max(0, Math.min(left, Math.max(1, Math.floor(left * share))))
    }
    const tokens = this.#max('max_tokens')
    if (tokens !== undefined) limits.max_tokens = Math.max(0, Math.floor((tokens - used.input - used.output) * share))
    const cost = this.#max('max_cost_usd')
    if (cost !== undefined) limits.max_cost_usd = Math.max(0, withoutNoise((cost - (this.#cost ?? 0)) * share))
    return new Budget(limits, {}, { parent: this })
  }

  /** Whether a sub-agent could take a turn, and one be left for what comes of it. */
  get hasTurnToShare(): boolean {
    const max = this.#max('max_turns')
    return max === undefined || max - this.#turns > 1
  }

  startTurn(): AgentStop | undefined {
    const stop = this.#exceeds(
      'max_turns',
      this.#turns + 1,
      `stopped after ${counted(this.#turns, 'turn')} without a final answer`,
    )
    if (stop) return stop
    this.#ownTurns += 1
    this.#countTurn()
    return undefined
  }

  #countTurn(): void {
    this.#turns += 1
    if (this.#parent) this.#parent.#countTurn()
  }

  #countCall(isScript: boolean): void {
    this.#toolCalls += 1
    if (isScript) this.#scriptRuns += 1
    if (this.#parent) this.#parent.#countCall(isScript)
  }

  startToolCall(isScript: boolean): AgentStop | undefined {
    const stop =
      this.#exceeds('max_tool_calls', this.#toolCalls + 1, `stopped after ${counted(this.#toolCalls, 'tool call')}`) ??
      (isScript
        ? this.#exceeds(
            'max_script_runs',
            this.#scriptRuns + 1,
            `stopped after ${counted(this.#scriptRuns, 'script run')}`,
          )
        : undefined)
    if (stop) return stop
    this.#countCall(isScript)
    return undefined
  }

  spend(usage: Usage, costUsd: number | null): AgentStop | undefined {
    // Where the outer agent has nothing left either, it stops at its own next step.
    this.#parent?.spend(usage, costUsd)
    this.#input += allInput(usage) ?? 0
    this.#output += allOutput(usage) ?? 0
    this.#cost = this.#cost === null || costUsd === null ? null : withoutNoise(this.#cost + costUsd)
    return this.overspent()
  }

  /** Whether more was spent than may be: of a model, by the agent itself or its sub-agents. */
  overspent(): AgentStop | undefined {
    const total = this.#input + this.#output
    return (
      this.#exceeds('max_input_tokens', this.#input, `used ${this.#input} input tokens`) ??
      this.#exceeds('max_output_tokens', this.#output, `used ${this.#output} output tokens`) ??
      this.#exceeds('max_tokens', total, `used ${total} tokens`) ??
      this.#exceeds('max_cost_usd', this.#cost ?? 0, `spent ${this.#cost} USD`)
    )
  }

  outOfTime(): AgentStop {
    return this.#stop('max_seconds', `stopped after ${this.maxSeconds} s`, this.maxSeconds)
  }

  #tokens() {
    return { input: this.#input, output: this.#output }
  }

  #max(name: LimitName): number | undefined {
    return this.#hard[name] ?? this.#soft[name]
  }

  #exceeds(name: LimitName, value: number, what: string): AgentStop | undefined {
    const max = this.#max(name)
    return max !== undefined && value > max ? this.#stop(name, what, max) : undefined
  }

  #stop(name: LimitName, what: string, max: number): AgentStop {
    const message = `${name}: ${what} (limit ${max})`
    return this.#hard[name] === undefined
      ? { kind: 'error', code: 'budget_exceeded', message: `${message}; raise limits.${name} in the configuration` }
      : { kind: 'limit', limit: name, message }
  }
}

const counted = (count: number, what: string): string => (count === 1 ? `1 ${what}` : `${count} ${what}s`)

/** Three answers of 0.1 USD are 0.3 USD, and no more: they may be what the limit allows. */
const withoutNoise = (usd: number): number => Number(usd.toPrecision(12))
