import type { Clock, ModelAdapter } from '../core/ports.ts'
import { mockJudge } from '../grading/judge/mock-judge.ts'
import type { Config, LiveProfile, Profile } from '../schema/config.ts'
import type { MockJudge } from '../schema/mock.ts'
import type { Purse } from './cost-limit.ts'
import type { Host } from './host.ts'
import { isLive, modelOpener } from './open-model.ts'
import { findProfile } from './profiles.ts'

/** A judge for one trial: of a profile, and for a scripted one with what it says. */
export type OpenJudge = (profile: string, rules: MockJudge | undefined) => ModelAdapter

/**
 * A profile as a judge has it: the same question is to get the same verdict, so that the temperature is 0 where the
 * profile says nothing of how answers are drawn. Models that think take none, and are known by their effort.
 */
export const judgeProfile = (name: string, config: Config): Profile => {
  const profile = findProfile(name, config)
  if (!isLive(profile)) return profile
  const { temperature, top_p, reasoning_effort } = profile.params ?? {}
  const isSaid = [temperature, top_p, reasoning_effort].some((value) => value !== undefined)
  return isSaid ? profile : ({ ...profile, params: { ...profile.params, temperature: 0 } } as LiveProfile)
}

/** Gets judges ready for these profiles, as `modelOpener` does models; the others are refused when they are opened. `rulesIn` names where a scripted one has its rules. */
export const judgeOpener = async (
  names: readonly string[],
  config: Config,
  host: Pick<Host, 'env'>,
  clock: Clock,
  shared?: Purse,
  rulesIn?: string,
): Promise<OpenJudge> => {
  const asJudges = Object.fromEntries(names.map((name) => [name, judgeProfile(name, config)]))
  const open = await modelOpener(names, { ...config, models: { ...config.models, ...asJudges } }, host, clock, shared)
  return (name, rules) => {
    const profile = findProfile(name, config)
    if (isLive(profile)) return open(name, undefined)
    return mockJudge(rules, {
      profile: name,
      protocol: profile.protocol,
      latencyMs: profile.params?.latency_ms ?? 0,
      price: profile.price ?? { input: 0, output: 0 },
      clock,
      ...(rulesIn === undefined ? {} : { rulesIn }),
    })
  }
}
