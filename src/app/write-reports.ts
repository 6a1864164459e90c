import { join, resolve } from 'node:path'
import { openTextWriter, pointTo } from '../adapters/files/output-file.ts'
import type { RunPlan } from '../core/plan.ts'
import type { Reporter, Store } from '../core/ports.ts'
import type { RunHead, SuiteHead } from '../core/results.ts'
import { caseResult } from '../runner/case-result.ts'
import type { Host } from './host.ts'
import type { ReporterChoice, ReporterName } from './run-options.ts'

type Output = { readonly reporter: Reporter; write(text: string): void; close(): void }

/**
 * Tells the finished run to every reporter in one pass over the plan, reading each case from the store as it comes:
 * run.json, junit.xml and summary.md in the run's folder, what was asked for elsewhere, and the terminal.
 */
export const writeReports = async (
  head: RunHead,
  plan: RunPlan,
  store: Store,
  where: { readonly folder: string; readonly choices: readonly ReporterChoice[]; readonly host: Host },
): Promise<void> => {
  const { folder, choices, host } = where
  const outputs = [
    fileOutput(await makeReporter('json', host), join(folder, 'run.json')),
    fileOutput(await makeReporter('junit', host), join(folder, 'junit.xml')),
    fileOutput(await makeReporter('markdown', host), join(folder, 'summary.md')),
  ]
  for (const { name, path } of choices) {
    const reporter = await makeReporter(name, host)
    outputs.push(
      path === undefined
        ? { reporter, write: host.stdout, close: nothing }
        : fileOutput(reporter, resolve(host.cwd, path)),
    )
  }
  tell(head, plan, store, outputs)
  for (const output of outputs) output.close()
  pointTo(join(folder, '..', 'latest'), head.id)
}

const nothing = () => undefined

const fileOutput = (reporter: Reporter, path: string): Output => ({ reporter, ...openTextWriter(path) })

const tell = (head: RunHead, plan: RunPlan, store: Store, outputs: readonly Output[]): void => {
  const say = (piece: (reporter: Reporter) => string) => {
    for (const output of outputs) {
      const text = piece(output.reporter)
      if (text !== '') output.write(text)
    }
  }
  const heads = head.suites[Symbol.iterator]()
  const begun = new Set<string>()
  const beginUpTo = (name: string | undefined) => {
    while (name === undefined || !begun.has(name)) {
      const next: IteratorResult<SuiteHead> = heads.next()
      if (next.done) return
      begun.add(next.value.name)
      say((reporter) => reporter.suite(next.value))
    }
  }
  say((reporter) => reporter.start(head))
  for (const planned of plan.cases()) {
    beginUpTo(planned.suite.name)
    const rows = Array.from({ length: planned.trials }, (_, i) => store.read(planned.at + i))
    const result = caseResult(planned, rows)
    say((reporter) => reporter.result(result))
  }
  beginUpTo(undefined)
  say((reporter) => reporter.end())
}

const makeReporter = async (name: ReporterName, host: Host): Promise<Reporter> => {
  switch (name) {
    case 'json':
      return (await import('../report/json-report.ts')).jsonReporter()
    case 'jsonl':
      return (await import('../report/jsonl-report.ts')).jsonlReporter()
    case 'junit':
      return (await import('../report/junit-report.ts')).junitReporter()
    case 'markdown':
      return (await import('../report/markdown-report.ts')).markdownReporter()
    case 'github':
      return (await import('../report/github-report.ts')).githubReporter()
    case 'terminal':
      return (await import('../report/terminal-report.ts')).terminalReporter({ color: host.color, width: host.width })
  }
}
