import { join } from 'node:path'
import { appendText, openTextWriter, pointTo } from '../adapters/files/output-file.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { PlannedCase, RunPlan } from '../core/plan.ts'
import type { Clock, Reporter, Store } from '../core/ports.ts'
import type { CaseBaseline, CaseResult, RunHead, SuiteHead } from '../core/results.ts'
import { caseResult } from '../runner/case-result.ts'
import type { RunDeps } from '../runner/run-deps.ts'
import type { ReporterName } from '../schema/reporter-names.ts'
import type { Host } from './host.ts'
import { resultFile } from './run-folders.ts'
import type { ReporterChoice } from './run-options.ts'

type Output = { write(text: string): void; close(): void }

/** One rendering, and all the places that it goes to: the same report is often asked for twice. */
type Channel = { readonly reporter: Reporter; readonly outputs: Output[] }

/** A case and the suite that it is of, in the order of the run. */
export type ToldCase = { readonly suite: string; readonly result: CaseResult }

/** What a case came to in the other arm. */
export type BaselineOf = (planned: PlannedCase) => CaseBaseline | undefined

/** The cases of a plan, each read from the store as it comes. */
export function* toldCases(
  plan: RunPlan,
  store: Store,
  redact: RunDeps['redact'],
  baselineOf: BaselineOf = () => undefined,
): Generator<ToldCase> {
  for (const planned of plan.cases()) {
    const rows = Array.from({ length: planned.trials }, (_, i) => store.read(planned.at + i))
    const baseline = baselineOf(planned)
    const result = { ...caseResult(planned, rows, redact), ...(baseline === undefined ? {} : { baseline }) }
    yield { suite: planned.suite.name, result }
  }
}

/**
 * Tells the finished run to every reporter in one pass over its cases: run.json, junit.xml, report.html and summary.md in
 * the run's folder, what was asked for elsewhere, and the terminal. Returns in
 * words what could not be written; the others are.
 */
export const writeReports = async (
  head: RunHead,
  cases: Iterable<ToldCase>,
  where: {
    readonly folder: string
    readonly choices: readonly ReporterChoice[]
    readonly redact: RunDeps['redact']
    /** The cases of the other arm: report.html shows them beside those of the run. */
    readonly otherArm?: Iterable<ToldCase> | undefined
    readonly host: Host
  },
): Promise<readonly string[]> => {
  const { folder, host } = where
  const stepSummary = host.env.GITHUB_STEP_SUMMARY
  const unwritten = await tellReporters(head, cases, {
    ...where,
    choices: [...reportFiles(folder), ...where.choices],
    ...(stepSummary ? { stepSummary } : {}),
  })
  try {
    pointTo(join(folder, '..', 'latest'), head.id)
    return unwritten
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
    return [...unwritten, error.message]
  }
}

/** What a run leaves in its folder. */
export const reportFiles = (folder: string): readonly ReporterChoice[] => [
  { name: 'json', path: join(folder, resultFile) },
  { name: 'junit', path: join(folder, 'junit.xml') },
  { name: 'html', path: join(folder, 'report.html') },
  { name: 'markdown', path: join(folder, 'summary.md') },
]

/** The same for any choice of reports; `stepSummary` is a file that the Markdown is appended to. */
export const tellReporters = async (
  head: RunHead,
  cases: Iterable<ToldCase>,
  where: {
    readonly choices: readonly ReporterChoice[]
    readonly stepSummary?: string
    readonly redact: RunDeps['redact']
    readonly otherArm?: Iterable<ToldCase> | undefined
    readonly host: Host
  },
): Promise<readonly string[]> => {
  const { choices, stepSummary, otherArm, host } = where
  const unwritten: string[] = []
  const attempt = (action: () => void): boolean => {
    try {
      action()
      return true
    } catch (error) {
      if (!(error instanceof SkillsEvalError)) throw error
      unwritten.push(error.message)
      return false
    }
  }
  const channels = new Map<ReporterName, Channel>()
  const outputsOf = async (name: ReporterName): Promise<Output[]> => {
    const channel = channels.get(name) ?? { reporter: await makeReporter(name, host, otherArm), outputs: [] }
    channels.set(name, channel)
    return channel.outputs
  }
  const addFile = async (name: ReporterName, path: string) => {
    const outputs = await outputsOf(name)
    attempt(() => outputs.push(fileOutput(path, attempt)))
  }
  for (const { name, path } of choices) {
    if (path === undefined) (await outputsOf(name)).push(printed(host.stdout))
    else await addFile(name, path)
  }
  if (stepSummary) (await outputsOf('markdown')).push(appendedOutput(stepSummary, attempt))
  tell(head, cases, where.redact, [...channels.values()])
  for (const { outputs } of channels.values()) for (const output of outputs) output.close()
  return unwritten
}

/** Writes the run.json of a run alone. Throws a SkillsEvalError where it can't be written. */
export const writeRunJson = async (
  head: RunHead,
  plan: RunPlan,
  store: Store,
  where: { readonly path: string; readonly redact: RunDeps['redact']; readonly host: Host },
): Promise<void> => {
  const writer = openTextWriter(where.path)
  try {
    tell(head, toldCases(plan, store, where.redact), where.redact, [
      { reporter: await makeReporter('json', where.host), outputs: [writer] },
    ])
    writer.close()
  } finally {
    writer.discard()
  }
}

/** Many small pieces cost a call to the system each. */
const blockLength = 64 * 1024

const printed = (print: (text: string) => void): Output => {
  let pending = ''
  const flush = () => {
    if (pending !== '') print(pending)
    pending = ''
  }
  return {
    write: (text) => {
      pending += text
      if (pending.length >= blockLength) flush()
    },
    close: flush,
  }
}

/** GitHub gives every step one file that earlier commands may have written to. The report is at most 1 MiB. */
const appendedOutput = (path: string, attempt: (action: () => void) => boolean): Output => {
  const pieces: string[] = []
  return {
    write: (text) => void pieces.push(text),
    close: () => void attempt(() => appendText(path, pieces.join(''))),
  }
}

/** Once a piece could not be written, the rest is not tried. */
const fileOutput = (path: string, attempt: (action: () => void) => boolean): Output => {
  const writer = openTextWriter(path)
  let isSound = true
  return {
    write: (text) => {
      if (isSound) isSound = attempt(() => writer.write(text))
    },
    close: () => {
      if (isSound) attempt(writer.close)
    },
  }
}

/** Tells a run to reporters in one pass over its cases; each suite is begun before its first case. */
export const tell = (
  head: RunHead,
  cases: Iterable<ToldCase>,
  redact: RunDeps['redact'],
  channels: readonly Channel[],
): void => {
  const say = (piece: (reporter: Reporter) => string) => {
    for (const { reporter, outputs } of channels) {
      const text = piece(reporter)
      if (text !== '') for (const output of outputs) output.write(text)
    }
  }
  const heads = head.suites[Symbol.iterator]()
  const begun = new Set<string>()
  const beginUpTo = (name: string | undefined) => {
    while (name === undefined || !begun.has(name)) {
      const next: IteratorResult<SuiteHead> = heads.next()
      if (next.done) return
      begun.add(next.value.name)
      const suite = redact(next.value)
      say((reporter) => reporter.suite(suite))
    }
  }
  const shown = redact(head)
  say((reporter) => reporter.start(shown))
  for (const { suite, result } of cases) {
    beginUpTo(suite)
    say((reporter) => reporter.result(result))
  }
  beginUpTo(undefined)
  say((reporter) => reporter.end())
}

/** Loads what the reports will need, while the first cases wait for their models. */
export const preloadReporters = async (choices: readonly ReporterChoice[], host: Host, clock: Clock): Promise<void> => {
  await clock.breathe()
  for (const name of ['json', 'junit', 'html', 'markdown', ...choices.map((choice) => choice.name)] as const)
    await makeReporter(name, host)
}

const makeReporter = async (name: ReporterName, host: Host, otherArm?: Iterable<ToldCase>): Promise<Reporter> => {
  switch (name) {
    case 'json':
      return (await import('../report/json-report.ts')).jsonReporter()
    case 'jsonl':
      return (await import('../report/jsonl-report.ts')).jsonlReporter()
    case 'junit':
      return (await import('../report/junit-report.ts')).junitReporter()
    case 'html':
      return (await import('./html-reporter.ts')).builtHtmlReporter(otherArm ? { base: { cases: otherArm } } : {})
    case 'markdown':
      return (await import('../report/markdown-report.ts')).markdownReporter()
    case 'github':
      return (await import('../report/github-report.ts')).githubReporter()
    case 'gitlab':
      return (await import('../report/gitlab-report.ts')).gitlabReporter()
    case 'terminal':
      return (await import('../report/terminal-report.ts')).terminalReporter({ color: host.color, width: host.width })
  }
}
