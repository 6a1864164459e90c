import { redactor } from '../cassette/redactor.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { AgentCase } from '../schema/agent-case.ts'
import type { Cassette } from '../schema/cassette.ts'
import { offersPerSkill } from './agent-limits.ts'
import type { AgentWorld } from './agent-world.ts'
import { draftCase } from './draft-case.ts'
import type { Host } from './host.ts'
import { configuredKeys, digestKey } from './recorded-models.ts'
import { otherStart } from './session-recording.ts'

/** What was recorded of a run, and what a case can be made of or why none can. */
export type RecordedRun = {
  readonly cassette: Cassette | undefined
  readonly draft: AgentCase | { readonly problem: string }
}

/** The suite of recordings of runs that belong to no suite. */
const suite = 'agent-run'

export const recordedRun = (
  id: string,
  inputs: readonly string[],
  { stop, trajectory }: Pick<AgentOutcome, 'stop' | 'trajectory'>,
  world: AgentWorld,
  allow: readonly string[],
  host: Host,
  hasControls = false,
): RecordedRun => {
  const { tape, touched, project, config, profile } = world
  if (tape === undefined || touched === undefined)
    return { cassette: undefined, draft: { problem: 'it was not recorded' } }
  const cassette = tape.cassette({ suite, case: id, profile: profile.name })
  const draft = draftCase({
    run: id,
    profile: profile.name,
    isScripted: profile.settings.provider === 'mock',
    inputs,
    stop,
    trajectory,
    hasSkills: world.skills.source().visible().length > 0,
    hasControls,
    touched,
    servers: world.servers,
    limits: config.limits,
    isIndexCut: world.skills.fitted().cut !== undefined,
    notes: world.notes,
    isAtTop: host.files.realPath(host.cwd) === (host.files.realPath(project.dir) ?? project.dir),
    recorded: cassette?.trials[0],
    authorizer: world.authorizer,
    configured: config.permissions,
    allow,
    secrets: redactor({ env: host.env, values: configuredKeys(config, host), key: digestKey(project, true) }),
  })
  const [trial] = cassette?.trials ?? []
  const problem = trial && otherStart(trial, offersPerSkill(config))
  return { cassette, draft: problem === undefined ? draft : { problem } }
}
