import { resolve } from 'node:path'
import { canonicalForm } from '../cassette/canonical.ts'
import { readCassette } from '../cassette/cassette-file.ts'
import { partBook } from '../cassette/part-book.ts'
import { type Place, placeholders } from '../cassette/placeholders.ts'
import type { Redactor } from '../cassette/redactor.ts'
import { replayModel } from '../cassette/replay-model.ts'
import type { StalePolicy } from '../cassette/stale-policy.ts'
import { UsageError } from '../core/errors.ts'
import type { ModelAdapter } from '../core/ports.ts'
import type { Usage } from '../core/trajectory.ts'
import type { Cassette } from '../schema/cassette.ts'
import type { Config, Profile } from '../schema/config.ts'
import { maxCassetteBytes } from './cassette-limits.ts'
import type { Host } from './host.ts'
import { paramsOf } from './recorded-models.ts'

/** A recording that was named on the command line. Throws a UsageError where it is none. */
export const readReplay = (path: string, host: Host): Cassette => {
  const read = readCassette(host.files.readText(resolve(host.cwd, path), maxCassetteBytes))
  if ('cassette' in read) return read.cassette
  throw new UsageError('bad_cassette', `${path} can't be replayed: ${read.problem}`)
}

/** A model that says what the first trial of a recording says; the model itself is never asked. */
export const replayedModel = (
  { trials: [trial], parts, suite, case: id }: Cassette,
  about: {
    readonly name: string
    readonly profile: Profile
    readonly config: Config
    readonly places: readonly Place[]
    readonly secrets: Redactor
    readonly policy: StalePolicy
    /** How it is called in messages. */
    readonly path: string
    /** The command that records it anew. */
    readonly again: string
    priceOf(usage: Usage, model: string): number | null
  },
): ModelAdapter => {
  const { name, profile, config, priceOf } = about
  if (trial === undefined) throw new UsageError('bad_cassette', `${about.path} has no trial`)
  const hidden = placeholders(about.places)
  return replayModel(trial, {
    profile: name,
    protocol: profile.protocol,
    params: paramsOf(profile),
    canonical: canonicalForm(hidden, about.secrets, config.normalize ?? []),
    placeholders: hidden,
    policy: about.policy,
    book: partBook(parts),
    path: about.path,
    label: `${suite}/${id}`,
    again: about.again,
    priceOf,
  })
}
