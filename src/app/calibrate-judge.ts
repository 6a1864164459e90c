import { basename, resolve } from 'node:path'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { writeText } from '../adapters/files/output-file.ts'
import { type JudgeCassette, judgeCassette } from '../cassette/judge-cassette.ts'
import type { RecordedJudge } from '../cassette/judge-tape.ts'
import { type Redactor, redactor } from '../cassette/redactor.ts'
import type { ModelAdapter } from '../core/ports.ts'
import type { RecordMode } from '../core/record-mode.ts'
import { GraderError } from '../grading/grader-error.ts'
import { askJudge } from '../grading/judge/ask-judge.ts'
import type { JudgeVerdict } from '../grading/judge/read-verdicts.ts'
import { tally, tallyText } from '../grading/judge/tally.ts'
import { visibleLine } from '../lib/visible.ts'
import { calibration } from '../metrics/calibration.ts'
import { usageSum } from '../metrics/usage.ts'
import { shellLine } from '../report/shell-line.ts'
import { inParallel } from '../runner/in-parallel.ts'
import type { Calibration } from '../schema/calibration.ts'
import type { Config } from '../schema/config.ts'
import { mockJudgeSchema } from '../schema/mock.ts'
import { maxCassetteBytes } from './cassette-limits.ts'
import { purse } from './cost-limit.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { judgeOpener, judgeProfile } from './open-judge.ts'
import { isLive } from './open-model.ts'
import { usualJudge } from './profiles.ts'
import { findProject, type Project, shownPath } from './project.ts'
import { readAuthored } from './read-authored.ts'
import { type PlacedLabel, readLabels } from './read-labels.ts'
import { configuredKeys, digestKey, paramsOf, prices, recordModeOf } from './recorded-models.ts'

export type CalibrateOptions = {
  /** A .jsonl file, relative to the working folder. */
  readonly labels: string
  readonly config?: string
  /** `-C`, as it was given: for the commands that messages name. */
  readonly folder?: string
  /** The profile that judges. */
  readonly model?: string
  /** The verdicts of a scripted judge, relative to the working folder. */
  readonly mock?: string
  readonly record?: RecordMode
  readonly judges: number
  readonly concurrency?: number
  readonly maxCostUsd?: number
  readonly minKappa?: number
  readonly minAgreement?: number
  readonly maxFalsePass?: number
}

/** A provider takes so many requests at a time from everybody. */
const usualConcurrency = 4

/**
 * Holds a judge against what people labelled. Its verdicts are recorded beside the labels and replayed from there, as
 * those of a run are. Throws an InvalidInputError or a UsageError before anybody was asked.
 */
export const calibrateJudge = async (options: CalibrateOptions, host: Host): Promise<Calibration> => {
  const project = findProject(host.cwd, host.home, host.files)
  const configFile = options.config === undefined ? undefined : resolve(host.cwd, options.config)
  const config = loadConfig(project, host, configFile)
  const file = resolve(host.cwd, options.labels)
  const profile = options.model ?? usualJudge
  const judge = await openRecordedJudge(profile, options, config, host)
  const labels = readLabels(file, shownPath(project, file), host)
  const cassetteFile = `${file.replace(/\.jsonl$/, '')}.${profile}.json`
  const isRecording = judge.mode !== 'replay' && judge.mode !== 'off'
  const secrets = redactor({
    env: host.env,
    values: configuredKeys(config, host),
    key: digestKey(project, isRecording),
  })
  const cassette = openCassette(cassetteFile, { profile, labels: basename(file), project, secrets, host })

  const again = (how: RecordMode) => calibrateCommand(options, how)
  const tapes = labels.map(() => (judge.mode === 'off' ? undefined : cassette.tape({ judge, again })))
  const { redactValue } = secrets
  const asking: Asking = {
    judges: options.judges,
    signal: host.signal,
    spent: usageSum(),
    models: new Set(),
    redactValue,
  }
  const concurrency = options.concurrency ?? config.concurrency ?? usualConcurrency
  const asked = await inParallel(labels, concurrency, (label, i) =>
    askAbout(label, tapes[i]?.model ?? judge.live(), asking),
  )
  const written = cassette.written(tapes.flatMap((tape) => tape ?? []))
  const cassettePath = shownPath(project, cassetteFile)
  if (written && 'text' in written) writeText(cassetteFile, written.text)
  else if (written) host.stderr(`warning: ${visibleLine(cassettePath, 500)} was not written: ${written.problem}\n`)

  return redactValue(
    resultOf(asked, options, {
      labels: shownPath(project, file),
      profile,
      models: [...asking.models],
      cassette: cassettePath,
      ...asking.spent.result(),
    }),
  )
}

/** The judge, opened where it may be asked. */
const openRecordedJudge = async (
  name: string,
  options: CalibrateOptions,
  config: Config,
  host: Host,
): Promise<RecordedJudge> => {
  const profile = judgeProfile(name, config)
  const mode = recordModeOf(profile, options, host)
  const rules =
    options.mock === undefined
      ? undefined
      : readAuthored(resolve(host.cwd, options.mock), options.mock, mockJudgeSchema, 'mock', host)
  const shared = options.maxCostUsd === undefined ? undefined : purse(options.maxCostUsd)
  const isAsked = isLive(profile) && mode !== 'replay'
  const open = await judgeOpener(isAsked ? [name] : [], config, host, systemClock(), shared, '--mock FILE')
  // One for all labels: a rule that may be taken so many times is taken so many times.
  const scripted = isLive(profile) ? undefined : open(name, rules)
  const live = () => scripted ?? open(name, undefined)
  return {
    profile: name,
    protocol: profile.protocol,
    mode,
    params: paramsOf(profile),
    priceOf: (await prices([name], config))(name),
    live,
    ...(scripted ? { fallback: live } : {}),
  }
}

const openCassette = (
  file: string,
  about: {
    readonly profile: string
    readonly labels: string
    readonly project: Project
    readonly secrets: Redactor
    readonly host: Host
  },
): JudgeCassette => {
  const { profile, labels, project, secrets, host } = about
  const isThere = host.files.stat(file) !== undefined
  return judgeCassette(isThere ? host.files.readText(file, maxCassetteBytes) : undefined, {
    name: { suite: 'judge calibrate', case: labels, profile },
    path: shownPath(project, file),
    label: labels,
    redactor: secrets,
    today: new Date(systemClock().now()).toISOString().slice(0, 10),
  })
}

type Asking = {
  readonly judges: number
  readonly signal: AbortSignal
  readonly spent: ReturnType<typeof usageSum>
  readonly models: Set<string>
} & Pick<Redactor, 'redactValue'>

const askAbout = async (
  label: PlacedLabel,
  inner: ModelAdapter,
  { judges, signal, spent, models, redactValue }: Asking,
): Promise<Asked> => {
  const model: ModelAdapter = {
    ...inner,
    generate: async (request, context) => {
      const response = await inner.generate(request, context)
      spent.add({ usage: response.usage, cost_usd: response.costUsd })
      if (response.model !== '') models.add(response.model)
      return response
    },
  }
  const { criterion, material, request = '' } = label
  const question = { criteria: [criterion], request, what: 'the material', material }
  const votes: (readonly JudgeVerdict[])[] = []
  try {
    signal.throwIfAborted()
    for (let n = 0; n < judges; n += 1) votes.push(await askJudge({ model, request, signal }, question))
    await model.close(true)
    // Before anything is cut: half a secret would not be known as one.
    return { label, results: redactValue(tally([criterion], votes, material)) }
  } catch (error) {
    await model.close(false)
    if (signal.aborted) return { label, code: 'interrupted', message: 'it was not judged' }
    if (error instanceof GraderError) return { label, code: error.fault, message: error.message }
    throw error
  }
}

type Asked = { readonly label: PlacedLabel } & (
  | { readonly results: ReturnType<typeof tally> }
  | { readonly code: string; readonly message: string }
)

const resultOf = (
  asked: readonly Asked[],
  { judges, minKappa, minAgreement, maxFalsePass }: CalibrateOptions,
  about: Pick<Calibration, 'labels' | 'profile' | 'models' | 'cassette' | 'usage' | 'cost_usd'>,
): Calibration => {
  const judged = asked.flatMap((one) => {
    const [result] = 'results' in one ? one.results : []
    return result === undefined ? [] : [{ ...one.label, result, verdict: result.met ? 'pass' : 'fail' } as const]
  })
  const numbers = calibration(judged)
  const { labels, profile, models, cassette, usage, cost_usd } = about
  return {
    format: 'skills-eval/calibration@1',
    labels,
    profile,
    models,
    judges,
    ...numbers,
    unsupported: judged.filter(({ result }) => result.verdicts.some(({ supported }) => supported === false)).length,
    disagreements: judged
      .filter(({ label, verdict }) => label !== verdict)
      .map(({ line, criterion, label, verdict, result }) => ({
        line,
        criterion,
        label,
        verdict,
        passes: result.passes,
        told: tallyText([result]).split('\n').slice(1).join('\n'),
      })),
    unusable: asked.flatMap((one) =>
      'code' in one ? [{ line: one.label.line, code: one.code, message: one.message }] : [],
    ),
    // What is not known meets no limit.
    gates: [
      ...(minAgreement === undefined
        ? []
        : [
            {
              name: 'min_agreement',
              limit: minAgreement,
              actual: numbers.agreement.rate,
              passed: (numbers.agreement.rate ?? -1) >= minAgreement,
            },
          ]),
      ...(minKappa === undefined
        ? []
        : [{ name: 'min_kappa', limit: minKappa, actual: numbers.kappa, passed: (numbers.kappa ?? -2) >= minKappa }]),
      ...(maxFalsePass === undefined
        ? []
        : [
            {
              name: 'max_false_pass',
              limit: maxFalsePass,
              actual: numbers.false_pass.rate,
              passed: (numbers.false_pass.rate ?? 2) <= maxFalsePass,
            },
          ]),
    ],
    usage,
    cost_usd,
    cassette,
  }
}

const calibrateCommand = ({ labels, folder, config, model, judges }: CalibrateOptions, mode: RecordMode): string =>
  shellLine([
    'skills-eval',
    'judge',
    'calibrate',
    ...(folder === undefined ? [] : ['-C', folder]),
    labels.startsWith('-') ? `./${labels}` : labels,
    ...(model === undefined ? [] : ['--model', model]),
    ...(judges === 1 ? [] : ['--judges', `${judges}`]),
    ...(config === undefined ? [] : ['--config', config]),
    '--record',
    mode,
  ])

/** How the command ends: 1 a gate was missed, 3 a label could not be judged, 4 its recording is stale or missing. */
export const calibrationCode = ({ gates, unusable }: Calibration): number => {
  const isOfRecording = (code: string) => code === 'stale' || code === 'missing_cassette'
  if (gates.some(({ passed }) => !passed)) return 1
  if (unusable.some(({ code }) => !isOfRecording(code))) return 3
  return unusable.length > 0 ? 4 : 0
}
