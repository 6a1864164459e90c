import { mockModel } from '../agent/mock-model.ts'
import { UsageError } from '../core/errors.ts'
import type { Clock, ModelAdapter } from '../core/ports.ts'
import type { Config, LiveProfile, Profile } from '../schema/config.ts'
import type { MockScript } from '../schema/mock.ts'
import type { Purse } from './cost-limit.ts'
import type { Host } from './host.ts'
import { findProfile } from './profiles.ts'

/** A model for one trial or task: of a profile, and for a scripted one with its script. */
export type OpenModel = (profile: string, script: MockScript | undefined) => ModelAdapter

export const isLive = (profile: Profile): profile is LiveProfile => profile.provider !== 'mock'

/**
 * Gets models ready for these profiles: a live one needs its key (a UsageError without it) and shares its limits among
 * all trials, and the purse of a run, where there is one. What it takes to be live is loaded only where a profile is.
 */
export const modelOpener = async (
  names: readonly string[],
  config: Config,
  host: Pick<Host, 'env'>,
  clock: Clock,
  shared?: Purse,
): Promise<OpenModel> => {
  const openers = new Map<string, (script: MockScript | undefined) => ModelAdapter>()
  for (const name of new Set(names)) {
    const profile = findProfile(name, config)
    openers.set(
      name,
      isLive(profile) ? await liveOpener(name, profile, host, clock, shared) : mockOpener(name, profile, clock),
    )
  }
  return (name, script) => {
    const open = openers.get(name)
    if (open === undefined) throw new Error(`the profile ${name} was not made ready`)
    return open(script)
  }
}

const mockOpener =
  (name: string, profile: Extract<Profile, { readonly provider: 'mock' }>, clock: Clock) =>
  (script: MockScript | undefined): ModelAdapter =>
    mockModel(script, {
      profile: name,
      protocol: profile.protocol,
      latencyMs: profile.params?.latency_ms ?? 0,
      price: profile.price ?? { input: 0, output: 0 },
      clock,
    })

const liveOpener = async (
  name: string,
  settings: LiveProfile,
  host: Pick<Host, 'env'>,
  clock: Clock,
  shared: Purse | undefined,
) => {
  const key = keyOf(name, settings, host)
  const [{ liveModel }, { rateLimiter }, { costOfProfile, mostUsdOf, readPriceTable }] = await Promise.all([
    import('../adapters/models/live-model.ts'),
    import('../adapters/models/rate-limiter.ts'),
    import('./price-table.ts'),
  ])
  const { requests_per_minute: requestsPerMinute, tokens_per_minute: tokensPerMinute } = settings
  const costOf = costOfProfile(settings, await readPriceTable())
  const options = {
    profile: name,
    settings,
    key,
    costOf,
    limiter: rateLimiter({ requestsPerMinute, tokensPerMinute }, clock),
    clock,
    random: Math.random,
  }
  if (shared === undefined) return () => liveModel(options)
  const mostUsd = mostUsdOf(settings, costOf)
  if (mostUsd(0) === null) {
    throw new UsageError('no_price', `--max-cost: what "${name}" costs is not known`, {
      hint: 'Give its price in the profile: {"price": {"input": …, "output": …}} in USD per million tokens.',
    })
  }
  const { withinPurse } = await import('./cost-limit.ts')
  return () => withinPurse(liveModel(options), mostUsd, shared)
}

/** The variable that holds the key of a profile; undefined where it needs none. */
export const keyVariable = (settings: LiveProfile): string | undefined => {
  const usual = settings.provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY'
  return settings.api_key_env ?? (settings.base_url === undefined ? usual : undefined)
}

/** A key is never sent where nobody said that it should go: with `base_url` only one that the profile names. */
const keyOf = (name: string, settings: LiveProfile, { env }: Pick<Host, 'env'>) => {
  const variable = keyVariable(settings)
  if (variable === undefined) return undefined
  const value = (env[variable] ?? '').trim()
  if (value === '') {
    throw new UsageError('no_key', `the model profile "${name}" needs a key and ${variable} is not set`, {
      hint: `Set ${variable} in the environment; \`skills-eval doctor\` shows which keys are there.`,
    })
  }
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new UsageError('bad_key', `what ${variable} holds is no key: it has spaces or characters that can't be sent`)
  }
  return { name: variable, value }
}
