import type { ProofRecording } from '../distribution/proof.ts'
import { findCassettes } from './cassettes.ts'
import type { Host } from './host.ts'

/** What is recorded in a proof's project. A file that is no recording says nothing: the case that needs it fails. */
export const recordingsIn = (dir: string, host: Host): readonly ProofRecording[] =>
  findCassettes({ dir, configFile: undefined }, {}, host).flatMap((found) => {
    if (!('cassette' in found)) return []
    const { suite, case: id, profile, recorded, trials } = found.cassette
    const answered = trials.flatMap(({ turns }) => turns.map(({ answer }) => answer.model))
    return [{ suite, case: id, profile, recorded, trials: trials.length, answered }]
  })
