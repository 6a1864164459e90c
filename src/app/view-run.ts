import { join } from 'node:path'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { servePage } from '../adapters/net/page-server.ts'
import { openBrowser } from '../adapters/process/open-browser.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { ServedPage } from '../core/ports.ts'
import { sha256 } from '../lib/hash.ts'
import { visibleLine } from '../lib/visible.ts'
import { messagePage, pagePolicy } from '../report/html/page.ts'
import { reloadScript } from '../report/html/reload-script.ts'
import { findReport, openReport, type ReportSource } from './find-report.ts'
import type { Host } from './host.ts'
import { builtHtmlReporter } from './html-reporter.ts'
import { reportsFolder, resultFile, rowsFile } from './run-folders.ts'
import type { StoredReport } from './stored-report.ts'
import { viewer } from './viewer-page.ts'
import { tell } from './write-reports.ts'

export type ViewOptions = {
  readonly run: string
  readonly config?: string
  /** 0: any that is free. */
  readonly port: number
  readonly open: boolean
}

/** How often it is looked whether there is more of a run: a page that changes faster can't be read. */
const lookMs = 2_000

/**
 * `skills-eval view`: the HTML report at an address of this machine until `host.signal` ends it. The page is made from
 * what is stored, anew when that changes. Throws a UsageError where there is no such run.
 */
export const viewRun = async (options: ViewOptions, host: Host): Promise<void> => {
  const reports = reportsFolder(host, options.config)
  const source = () => findReport(options.run, reports, host)
  // A run that can't be shown is said here, not in the browser.
  ;(await openReport(source(), host)).close()
  const page = cachedPage(source, host)
  const server = await servePage(page, options.port)
  host.stdout(`${server.url}\n`)
  if (options.open && !openBrowser(server.url, host.env.PATH ?? ''))
    host.stderr('no program that opens a browser was found: open the address yourself\n')
  const clock = systemClock()
  let told = ''
  while (!host.signal.aborted) {
    await clock.sleep(lookMs, host.signal).catch(() => undefined)
    const version = versionOf(source, host)
    if (version !== told) server.changed(version)
    told = version
  }
  await server.close()
}

/** The page is made once for each state of the run, however many ask for it. */
const cachedPage = (source: () => ReportSource, host: Host): (() => Promise<ServedPage>) => {
  let held: { readonly version: string; readonly page: Promise<ServedPage> } | undefined
  return () => {
    const version = versionOf(source, host)
    if (held?.version !== version) held = { version, page: pageOf(source, version, host) }
    return held.page
  }
}

const pageOf = async (source: () => ReportSource, version: string, host: Host): Promise<ServedPage> => {
  const reload = reloadScript(version)
  try {
    const report = await openReport(source(), host)
    try {
      return { html: htmlOf(report, reload), policy: pagePolicy(viewer, reload), status: 200, version }
    } finally {
      report.close()
    }
  } catch (error) {
    // It may be there again in a moment: a run was deleted, or is just being written.
    if (!(error instanceof SkillsEvalError)) throw error
    const html = Buffer.from(messagePage(visibleLine(error.message, 1000), viewer, reload))
    return { html, policy: pagePolicy(viewer, reload), status: 503, version }
  }
}

const htmlOf = ({ head, cases, otherArm }: StoredReport, reload: string): Buffer => {
  const pieces: string[] = []
  const output = { write: (text: string) => void pieces.push(text), close: () => undefined }
  const beside = otherArm ? { base: { cases: otherArm() } } : {}
  const reporter = builtHtmlReporter({ reload, ...beside })
  tell(head, cases(), (value) => value, [{ reporter, outputs: [output] }])
  return Buffer.from(pieces.join(''))
}

/** What the page would be made of, in hexadecimal: another value where that has changed. */
const versionOf = (source: () => ReportSource, host: Host): string => {
  try {
    const { folder } = source()
    const sizes = [resultFile, rowsFile].map((file) => host.files.stat(join(folder, file))?.size ?? '')
    return sha256([folder, ...sizes].join('\n')).slice(0, 32)
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
    return sha256(error.message).slice(0, 32)
  }
}
