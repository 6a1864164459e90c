import { randomBytes } from 'node:crypto'
import { join, relative, resolve, sep } from 'node:path'
import { openAuditFolder } from '../adapters/files/audit-folder.ts'
import { writeText } from '../adapters/files/output-file.ts'
import type { CassetteName } from '../cassette/cassette-file.ts'
import type { RecordedJudge } from '../cassette/judge-tape.ts'
import type { Place } from '../cassette/placeholders.ts'
import type { RecordedTrial } from '../cassette/recorded-trial.ts'
import { openRecordings, type Tried } from '../cassette/recordings.ts'
import { redactor } from '../cassette/redactor.ts'
import { type StalePolicy, stalePolicy } from '../cassette/stale-policy.ts'
import { costOf } from '../core/cost.ts'
import { FileError, SkillsEvalError } from '../core/errors.ts'
import type { PlannedCase, PlannedSuite, RunPlan } from '../core/plan.ts'
import type { Clock, SkillSource } from '../core/ports.ts'
import type { RecordMode } from '../core/record-mode.ts'
import type { TrialRow } from '../core/results.ts'
import { hasRubric } from '../grading/has-rubric.ts'
import { sha256 } from '../lib/hash.ts'
import { visibleLine } from '../lib/visible.ts'
import { pathFrom, placeWords } from '../report/place-words.ts'
import { shellLine } from '../report/shell-line.ts'
import type { RunDeps, TrialWorld } from '../runner/run-deps.ts'
import type { Config, Profile } from '../schema/config.ts'
import { maxCassetteBytes } from './cassette-limits.ts'
import type { Host } from './host.ts'
import { headerVariables } from './mcp-servers.ts'
import { judgeProfile, type OpenJudge } from './open-judge.ts'
import { isLive, type OpenModel } from './open-model.ts'
import { costOfProfile, readPriceTable } from './price-table.ts'
import { findProfile, isProfile, judgeOf } from './profiles.ts'
import { type Project, shownPath } from './project.ts'
import type { RecordingDigests } from './recording-digests.ts'
import { backOffMs, isToRetry } from './retries.ts'
import type { RunOptions } from './run-options.ts'

export type RecordingChoice = Pick<RunOptions, 'record' | 'allowStale' | 'models' | 'trials' | 'config' | 'retries'> & {
  readonly command?: readonly string[]
  readonly trustSuites?: boolean
  /** Where it is the other arm of a run. */
  readonly arm?: RecordedArm
}

/** `name` as `armName` writes it, `option` as it was asked for: what `--baseline` takes. */
export type RecordedArm = { readonly name: string; readonly option: string }

/**
 * What is done with the cassettes of a profile: what the command line says, else the profile, else `replay`; in CI only
 * what was asked for on the command line. A scripted model contacts nobody and is recorded only where that is asked.
 */
export const recordModeOf = (
  profile: Profile,
  { record }: Pick<RecordingChoice, 'record'>,
  host: Pick<Host, 'isCi'>,
): RecordMode => {
  if (record !== undefined) return record
  const usual = isLive(profile) ? 'replay' : 'off'
  return host.isCi ? usual : (profile.record ?? usual)
}

/** Whether the model itself may be asked: a replay of a live one needs neither key nor network. */
export const isAsked = (profile: Profile, choice: RecordingChoice, host: Pick<Host, 'isCi'>): boolean =>
  !isLive(profile) || recordModeOf(profile, choice, host) !== 'replay'

/** The models of a run's trials, recorded and replayed as it was asked. */
export const recordedModels = async (about: {
  readonly project: Project
  readonly config: Config
  readonly plan: RunPlan
  readonly choice: RecordingChoice
  readonly host: Host
  readonly clock: Clock
  readonly skillsOf: RunDeps['skillsOf']
  readonly recordingDigests?: RecordingDigests
  readonly open: OpenModel
  readonly openJudge: OpenJudge
}): Promise<
  Pick<RunDeps, 'openModel' | 'openJudge' | 'mayRetry' | 'backOffMs' | 'caseEnded' | 'redact'> & {
    /** What the disk did not take, in words. */
    readonly unwritten: readonly string[]
  }
> => {
  const { project, config, choice, host, open } = about
  const modes = new Map(
    about.plan.suites
      .flatMap(({ models }) => models)
      .map((name) => [name, recordModeOf(findProfile(name, config), choice, host)]),
  )
  const judges = judgesOf(about.plan.suites, about)
  const isRecording = [...modes.values(), ...[...judges.values()].map(({ mode }) => mode)].some(
    (mode) => mode !== 'replay' && mode !== 'off',
  )
  const folder = resolve(project.dir, config.recordings ?? 'recordings')
  const shown = shownPath(project, folder)
  const secrets = redactor({
    env: host.env,
    values: configuredKeys(config, host),
    key: digestKey(project, isRecording),
  })
  const unwritten: string[] = []
  const recordings = openRecordings({
    store: {
      shown,
      read: (path) => {
        const file = join(folder, path)
        const text = textIfThere(file, host)
        if (text !== undefined) about.recordingDigests?.get(file, () => sha256(text))
        return text
      },
      write: (path, text) => writeText(join(folder, path), text),
    },
    redactor: secrets,
    today: new Date(about.clock.now()).toISOString().slice(0, 10),
    notKept: (path, reason) => {
      if (!host.signal.aborted) host.stderr(`warning: ${visibleLine(path, 500)} was not written: ${reason}\n`)
    },
    failed: (_path, reason) => unwritten.push(reason),
  })
  const placesOf = suitePlaces(about)
  const priceOf = await prices([...modes.keys(), ...judges.keys()], config)
  const modeOf = (planned: PlannedCase): RecordMode => modes.get(planned.model) ?? 'replay'

  const openJudge = ({ suite, evalCase }: PlannedCase) => about.openJudge(judgeOf(suite), evalCase.mock_judge)
  const recordedJudge = (planned: PlannedCase): RecordedJudge | undefined => {
    const name = judgeOf(planned.suite)
    const judge = judges.get(name)
    if (judge === undefined || !hasRubric(planned.evalCase)) return undefined
    const { profile, mode } = judge
    const live = () => openJudge(planned)
    return {
      profile: name,
      protocol: profile.protocol,
      mode,
      params: paramsOf(profile),
      priceOf: priceOf(name),
      live,
      ...(isLive(profile) ? {} : { fallback: live }),
    }
  }

  /** Whether the model that an error of this trial is about is a live one, and was asked itself. */
  const wasAsked = (planned: PlannedCase, { error, cassette }: TrialRow, { isJudgeAsked }: Tried): boolean => {
    const judge = error?.code === 'judge_error' ? judges.get(judgeOf(planned.suite)) : undefined
    if (judge) return isLive(judge.profile) && (judge.mode === 'off' || isJudgeAsked)
    return isLive(findProfile(planned.model, config)) && (modeOf(planned) === 'off' || cassette?.mode === 'record')
  }

  return {
    openJudge,
    openModel: (planned, n, { n: attempt, world }) => {
      const live = () => open(planned.model, planned.evalCase.mock)
      const mode = modeOf(planned)
      const judge = recordedJudge(planned)
      if (mode === 'off' && (judge === undefined || judge.mode === 'off')) return live()
      const profile = findProfile(planned.model, config)
      return recordings.open({
        ...nameOf(planned, choice),
        n,
        attempt,
        mode,
        protocol: profile.protocol,
        params: paramsOf(profile),
        places: [...worldPlaces(world), ...placesOf(planned.suite)],
        normalize: [...(config.normalize ?? []), ...(planned.suite.normalize ?? [])],
        policy: policyOf(planned.suite, config, choice),
        again: (how) => recordCommand(planned, how, choice, relative(project.dir, host.cwd).split(sep).join('/')),
        priceOf: priceOf(planned.model),
        live,
        ...(isLive(profile) ? {} : { fallback: live }),
        ...(judge === undefined ? {} : { judge }),
      })
    },
    mayRetry: (planned, row, attempt) => {
      const tried = recordings.tried(nameOf(planned, choice), row.n)
      const { staleAt } = tried
      if (staleAt === attempt) return true
      // What was replayed and found stale asked nobody.
      const attempts = staleAt === undefined ? attempt : attempt - 1
      return isToRetry(row, { attempts, retries: choice.retries ?? 0, wasAsked: wasAsked(planned, row, tried) })
    },
    backOffMs,
    caseEnded: (planned) => recordings.endCase(nameOf(planned, choice)),
    unwritten,
    redact: secrets.redactValue,
  }
}

/** Not asked for before it is opened: nearly every recording that is looked for is there. */
const textIfThere = (file: string, { files }: Pick<Host, 'files'>): string | undefined => {
  try {
    return files.readText(file, maxCassetteBytes)
  } catch (error) {
    if (error instanceof FileError && error.code === 'file_missing') return undefined
    throw error
  }
}

type JudgeChoice = { readonly profile: Profile; readonly mode: RecordMode }

/** The judges of the suites that have one, and what is done with their recordings. */
const judgesOf = (
  suites: readonly PlannedSuite[],
  { config, choice, host }: { readonly config: Config; readonly choice: RecordingChoice; readonly host: Host },
): ReadonlyMap<string, JudgeChoice> =>
  new Map(
    suites
      .map(judgeOf)
      .filter((name) => isProfile(name, config))
      .map((name) => {
        const profile = judgeProfile(name, config)
        return [name, { profile, mode: recordModeOf(profile, choice, host) }]
      }),
  )

export const nameOf = (
  { suite, evalCase, model }: PlannedCase,
  { arm }: Pick<RecordingChoice, 'arm'>,
): CassetteName => ({
  suite: suite.name,
  case: evalCase.id,
  profile: model,
  ...(arm === undefined ? {} : { arm: arm.name }),
})

const worldPlaces = ({ places }: TrialWorld): Place[] => Object.entries(places).map(([name, path]) => ({ name, path }))

/** The places that all trials of a suite share, found once for each. */
const suitePlaces = ({
  project,
  host,
  skillsOf,
}: {
  readonly project: Project
  readonly host: Host
  readonly skillsOf: RunDeps['skillsOf']
}): ((suite: PlannedSuite) => readonly Place[]) => {
  const known = new Map<PlannedSuite, readonly Place[]>()
  return (suite) => {
    const places = known.get(suite) ?? machinePlaces(skillsOf(suite).source, project, host)
    known.set(suite, places)
    return places
  }
}

/** The places of a machine that any recording may speak of. */
export const machinePlaces = (
  skills: Pick<SkillSource, 'visible'>,
  project: Pick<Project, 'dir'>,
  { home, files }: Pick<Host, 'home' | 'files'>,
): readonly Place[] => [
  ...skills.visible().map((skill) => ({ name: `skill:${skill.name}`, path: skill.dir })),
  { name: 'project', path: project.dir },
  ...[...new Set([home, files.realPath(home) ?? home])].map((path) => ({ name: 'home', path })),
]

const policyOf = (suite: PlannedSuite, config: Config, { allowStale }: RecordingChoice): StalePolicy => {
  const policy = stalePolicy(config.stale, suite.stale)
  if (!allowStale) return policy
  return Object.fromEntries(
    Object.entries(policy).map(([kind, mode]) => [kind, mode === 'fail' ? 'warn' : mode]),
  ) as StalePolicy
}

/** What makes another answer: not where the model is asked, how often, and at what price. */
export const paramsOf = (profile: Profile): Readonly<Record<string, string>> => {
  const { provider, protocol, params = {} } = profile
  return Object.fromEntries(
    Object.entries({ provider, model: profile.model, protocol, ...params })
      .filter(([name, value]) => value !== undefined && name !== 'latency_ms')
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

/** What a recorded answer would cost today. */
export const prices = async (
  names: readonly string[],
  config: Config,
): Promise<(name: string) => RecordedTrial['priceOf']> => {
  const profiles = names.map((name) => [name, findProfile(name, config)] as const)
  const table = profiles.some(([, profile]) => isLive(profile)) ? await readPriceTable() : {}
  const known = new Map(
    profiles.map(([name, profile]): [string, RecordedTrial['priceOf']] => {
      if (!isLive(profile)) return [name, (usage) => costOf(usage, profile.price ?? { input: 0, output: 0 })]
      const cost = costOfProfile(profile, table)
      return [name, (usage, model) => cost(model, usage, 0)]
    }),
  )
  return (name) => known.get(name) ?? (() => null)
}

/** The command that records a case as it was run. */
const recordCommand = (
  { suite, evalCase, model }: PlannedCase,
  mode: RecordMode,
  { models, trials, command = [], trustSuites, arm }: RecordingChoice,
  from: string,
): string => {
  const { folder, config } = placeWords(command)
  const path = pathFrom(from, suite.path)
  return shellLine([
    'skills-eval',
    'run',
    ...folder,
    path.startsWith('-') ? `./${path}` : path,
    '--filter',
    `=${evalCase.id}`,
    ...(suite.models.length > 1 || models?.length ? ['--model', model] : []),
    ...(trials === undefined ? [] : ['--trials', `${trials}`]),
    ...config,
    ...(trustSuites ? ['--trust-suites'] : []),
    ...(arm === undefined ? [] : ['--baseline', arm.option]),
    '--record',
    mode,
  ])
}

/**
 * The digests in what is recorded are made with the key of the project on this machine, so that the same recording made
 * again has the same bytes. Those in the reports of a run that records nothing need only tell its own secrets apart.
 */
export const digestKey = (project: Project, mayRecord: boolean): string => {
  if (!mayRecord) return randomBytes(32).toString('hex')
  try {
    return openAuditFolder(project.dir).key
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
    return randomBytes(32).toString('hex')
  }
}

/** What the profiles take for their keys is a secret whatever the variable is called. */
export const configuredKeys = (config: Config, { env }: Pick<Host, 'env'>): string[] => [
  ...headerVariables(config).flatMap((name) => env[name]?.trim() || []),
  ...Object.values(config.models ?? {}).flatMap((profile) => {
    const name = 'api_key_env' in profile ? profile.api_key_env : undefined
    return typeof name === 'string' ? (env[name] ?? []) : []
  }),
]
