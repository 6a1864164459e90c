import { systemClock } from '../adapters/clock/system-clock.ts'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import { redactor } from '../cassette/redactor.ts'
import { stalePolicy } from '../cassette/stale-policy.ts'
import type { ModelAdapter, NamedServers } from '../core/ports.ts'
import type { TrialRow } from '../core/results.ts'
import { canonicalJson } from '../lib/hash.ts'
import { visibleLine } from '../lib/visible.ts'
import { runTrial } from '../runner/run-trial.ts'
import type { AgentCase, Happened } from '../schema/agent-case.ts'
import type { Cassette } from '../schema/cassette.ts'
import { evalDeps } from './eval-deps.ts'
import type { Host } from './host.ts'
import { modelOpener } from './open-model.ts'
import { prepareRun } from './prepare-run.ts'
import { findProfile } from './profiles.ts'
import { configuredKeys, digestKey, machinePlaces, prices } from './recorded-models.ts'
import { replayedModel } from './replayed-task.ts'

/** What came of a saved case when it was tried: whether the same happened as in the run, and else why not. */
export type CaseTrial =
  | {
      readonly kind: 'same'
      readonly actions: number /** Observations that were not word for word what they had been. */
      readonly seen: readonly string[]
    }
  | { readonly kind: 'other'; readonly why: string }

/**
 * Runs the case with the answers that the model gave in the run, whatever it is asked now. Where it is asked the same
 * and does the same, these answers become the recording of the case.
 */
export const trySavedCase = async (
  draft: AgentCase,
  cassette: Cassette | undefined,
  at: { readonly path: string; readonly id: string; readonly config?: string },
  host: Host,
): Promise<CaseTrial> => {
  const { profile: name, trusted: trustSuites } = draft
  const models = [name]
  const prepared = await prepareRun(
    { paths: [at.path], filter: [`=${at.id}`], models, ...(at.config === undefined ? {} : { config: at.config }) },
    host,
  )
  const [planned] = prepared.plan.cases()
  if (planned === undefined) return { kind: 'other', why: 'other cases of the suite have `only`' }
  const { project, config } = prepared
  const profile = findProfile(name, config)
  const clock = systemClock()
  const scratch = scratchFolder('skills-eval-')
  const opened: { places: Readonly<Record<string, string>>; replay?: ModelAdapter } = { places: {} }
  const priceOf = (await prices(models, config))(name)
  const secrets = redactor({ env: host.env, values: configuredKeys(config, host), key: digestKey(project, true) })
  const replay = (recording: Cassette): ModelAdapter => {
    const places = Object.entries(opened.places).map(([place, path]) => ({ name: place, path }))
    opened.replay = replayedModel(recording, {
      ...{ name, profile, config, secrets, priceOf, path: 'recording.json', again: '' },
      places: [...places, ...machinePlaces(prepared.skillsOf(planned.suite).source, project, host)],
      policy: stalePolicy('warn'),
    })
    return opened.replay
  }
  const recording = draft.is_scripted ? undefined : cassette
  if (recording === undefined && !draft.is_scripted) return { kind: 'other', why: 'there is no recording of the run' }
  try {
    const deps = await evalDeps({
      ...prepared,
      choice: { record: recording === undefined ? 'off' : 'all', allowStale: false, models, trustSuites },
      ...{ trustSuites, concurrency: 1, purse: undefined, clock, scratch, host },
      open: recording === undefined ? await modelOpener(models, config, host, clock) : () => replay(recording),
    })
    const { row } = await runTrial(planned, 1, {
      ...deps,
      mayRetry: () => false,
      store: { append: () => undefined, read: () => undefined, close: () => undefined },
      listener: {},
      bail: undefined,
      seed: 1,
      openModel: (one, n, attempt) => {
        opened.places = attempt.world.places
        return deps.openModel(one, n, attempt)
      },
      openWorld: (one, n) => {
        const world = deps.openWorld(one, n)
        const tools = () =>
          [...world.tools].map(([type, tool]) => [type, opened.replay?.recording?.tool(tool) ?? tool] as const)
        // What comes from outside comes from the recording of the run, and nobody is asked.
        return {
          ...world,
          ...(world.servers === undefined ? {} : { servers: recordedServers(world.servers, () => opened.replay) }),
          get tools() {
            return new Map(tools())
          },
        }
      },
    })
    const parts = opened.replay?.recording?.use().stale_parts ?? []
    const result = verdictOf(draft, row, parts)
    if (result.kind === 'same') deps.caseEnded?.(planned)
    const [unwritten] = deps.unwritten
    return unwritten === undefined ? result : { kind: 'other', why: unwritten }
  } finally {
    scratch.remove()
  }
}

/** Where there is a recording, no server is started: its tools are those that were recorded. */
const recordedServers = (servers: NamedServers, replay: () => ModelAdapter | undefined): NamedServers => ({
  ...servers,
  open: async () => (await replay()?.provided?.({ ...servers, atHand: [] })) ?? servers.open(),
})

const verdictOf = (draft: AgentCase, row: TrialRow, parts: readonly string[]): CaseTrial => {
  const asked = parts.filter((part) => !part.startsWith('observation:'))
  if (asked.length > 0) {
    return {
      kind: 'other',
      why: `in this suite the model is asked something else than in the run (${asked.join(', ')}): what it said then is no answer to that`,
    }
  }
  const [before, now] = [inOrder(draft.actions), inOrder(row.actions)]
  const same = before.findIndex((one, i) => plain(one) !== plain(now[i]))
  const at = same < 0 ? before.length : same
  const [was, is] = [before[at], now[at]]
  if (was !== undefined || is !== undefined) {
    const told =
      is === undefined
        ? (row.error?.message ?? row.reason ?? 'nothing')
        : `${is.at === was?.at || was === undefined ? '' : `action ${is.at}, `}${is.action.action} ${is.action.status}: ${is.action.observation}`
    const what = was === undefined ? 'none' : `${was.action.action} ${was.action.status}`
    return {
      kind: 'other',
      why: `action ${(was ?? is)?.at} was ${what} in the run, and is ${visibleLine(told, 300)}`,
    }
  }
  if (row.status !== 'passed') {
    const check = row.checks.find(({ passed }) => !passed)
    return { kind: 'other', why: visibleLine(row.error?.message ?? row.reason ?? check?.message ?? row.status, 300) }
  }
  return { kind: 'same', actions: draft.actions.length, seen: parts }
}

type Placed<T> = { readonly at: string; readonly action: T }

/** Each action, and before it those of the skills that ran on their own for it: `2.1` is the first of them. */
const inOrder = <T extends { readonly actions?: readonly T[] | undefined }>(
  actions: readonly T[],
  above = '',
): readonly Placed<T>[] =>
  actions.flatMap((action, i) => {
    const at = `${above}${i + 1}`
    return [...inOrder(action.actions ?? [], `${at}.`), { at, action }]
  })

/** Two digests of one secret differ where the key does. */
const plain = (one: Placed<Happened> | undefined): string => {
  if (one === undefined) return ''
  const { action: name, params, status, exit_code: exit = null } = one.action
  return canonicalJson([one.at, name, params, status, exit]).replaceAll(/(\[redacted:[a-z]+):[\da-f]+\]/g, '$1]')
}
