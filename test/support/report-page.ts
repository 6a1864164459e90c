import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { deflatedBase64 } from '../../src/adapters/files/deflated-base64.ts'
import type { Viewer } from '../../src/report/html/page.ts'
import { type BaseRun, htmlReporter } from '../../src/report/html-report.ts'
import { project } from './cli.ts'
import { render, type SampleRun } from './sample-run.ts'

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where the tests of report.html find a browser; undefined where there is none, which a CI does not let pass. */
export const chromium: string | undefined = programs.find((path) => existsSync(path))
if (chromium === undefined && process.env.CI)
  throw new Error(`the tests of report.html need one of ${programs.join(', ')}`)

export const noBrowser = chromium === undefined ? ' (skipped: there is no Chromium)' : ''

export const openBrowser = async (): Promise<Browser> => {
  const { chromium: driver } = await import('playwright-core')
  const isRoot = process.getuid?.() === 0
  return driver.launch({ executablePath: chromium ?? '', args: isRoot ? ['--no-sandbox'] : [] })
}

/** For the tests of a `describe`: a browser, and the report of a run of these files. */
export const reportInBrowser = (files: Readonly<Record<string, string>>, args: readonly string[] = []) => {
  let browser: Browser | undefined
  let viewer: Viewer | undefined
  let p: ReturnType<typeof project> | undefined
  beforeAll(async () => {
    browser = await openBrowser()
    viewer = shippedViewer()
    p = project(files)
    p.cli(['run', '-q', ...args])
  })
  afterAll(async () => {
    await browser?.close()
    p?.[Symbol.dispose]()
  })
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('it is there for tests only, not where they are described')
    return value
  }
  return {
    report: () => join(there(p).dir, 'reports/latest/report.html'),
    /** Opens a report from disk, as a person does. */
    open: (path: string, hash?: string, options?: BrowserContextOptions) =>
      openReport(there(browser), path, hash, options),
    htmlOf: (run: SampleRun, base?: BaseRun) => htmlOf(there(viewer), run, base),
    /** Writes a report where the browser can open it. */
    save: (name: string, html: string): string => {
      const path = join(there(p).dir, name)
      writeFileSync(path, html)
      return path
    },
  }
}

/** The viewer as it ships: cut out of a report that the program wrote. */
export const shippedViewer = (): Viewer => {
  using p = project({
    'evals/a.eval.yaml': 'name: a\nmodel: mock\ncases:\n  - {id: a, input: x, skip: true, mock: []}\n',
  })
  p.cli(['run', '-q'])
  const html = readFileSync(join(p.dir, 'reports/latest/report.html'), 'utf8')
  const between = (start: string, end: string) =>
    html.slice(html.lastIndexOf(start) + start.length, html.lastIndexOf(end))
  return { script: between('<script>', '</script>'), style: between('<style>', '</style>') }
}

const htmlOf = (viewer: Viewer, run: SampleRun, base?: BaseRun): string =>
  render(htmlReporter({ viewer, pack: deflatedBase64, ...(base === undefined ? {} : { base }) }), run)

export type ReportPage = {
  readonly page: Page
  /** Whatever the page asked for besides itself, said to the console, threw or opened. */
  readonly told: readonly string[]
  /** All that can be read, as a person sees it. */
  text(): Promise<string>
  /** Of what has the focus: its name for those who can't see it, or its text. */
  focused(): Promise<string>
  press(...keys: readonly string[]): Promise<void>
  go(hash: string): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const openReport = async (
  browser: Browser,
  path: string,
  hash = '',
  options: BrowserContextOptions = {},
): Promise<ReportPage> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const told: string[] = []
  const url = pathToFileURL(path).href
  page.on('console', (message) => told.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => told.push(`threw: ${error.message}`))
  page.on('dialog', (dialog) => {
    told.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', () => told.push('popup'))
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) told.push(`request: ${request.url().slice(0, 200)}`)
  })
  const isShown = async () => {
    // The page hears of a new address in a task of its own.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
    await page.locator('main h1').first().waitFor()
    await page.getByText('Reading the case').waitFor({ state: 'detached' })
  }
  await page.goto(url + hash)
  await isShown()
  return {
    page,
    told,
    text: () => page.locator('body').innerText(),
    focused: () =>
      page.evaluate(
        "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText ?? document.activeElement.tagName).trim()",
      ),
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key)
    },
    go: async (to) => {
      await page.evaluate(`location.hash = ${JSON.stringify(to)}`)
      await isShown()
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** What axe finds that is serious or worse: rule and element. */
export const seriousProblems = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source)
  const violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[] =
    await page.evaluate('axe.run(document).then(({ violations }) => violations)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    )
}
