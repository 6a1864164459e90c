import { mockModel } from '../agent/mock-model.ts'
import type { Clock, ModelAdapter } from '../core/ports.ts'
import type { Config, Profile } from '../schema/config.ts'
import type { MockScript } from '../schema/mock.ts'
import type { Host } from './host.ts'
import { findProfile } from './profiles.ts'

/** A model for one trial or task: of a profile, and for a scripted one with its script. */
export type OpenModel = (profile: string, script: MockScript | undefined) => ModelAdapter

export const isLive = (profile: Profile): boolean => (profile.provider as string) !== 'mock'

export const modelOpener = async (
  _names: readonly string[],
  config: Config,
  _host: Pick<Host, 'env'>,
  clock: Clock,
): Promise<OpenModel> => {
  return (name, script) => {
    const profile = findProfile(name, config)
    return mockModel(script, {
      profile: name,
      protocol: profile.protocol,
      latencyMs: profile.params?.latency_ms ?? 0,
      price: profile.price ?? { input: 0, output: 0 },
      clock,
    })
  }
}
