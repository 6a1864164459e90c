import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { head, pack, project } from './support/cli.ts'
import { chromium, noBrowser, openBrowser } from './support/report-page.ts'

type Project = ReturnType<typeof project>
type Answer = { readonly status: number; readonly text: string; readonly headers: Record<string, unknown> }

const files = { 'evals/t.eval.yaml': 'name: t\nmodel: mock\ncases: [{id: a, input: x, mock: [ok]}]\n' }

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (await isSo()) return
    await sleep(50)
  }
  throw new Error('waited in vain')
}

const viewing = async (p: Project, args: readonly string[] = [], env: Record<string, string> = {}) => {
  const view = p.start(['view', ...args], env)
  await until(() => view.said.out.includes('\n'))
  return { ...view, url: new URL(view.said.out.trim()) }
}

const get = (
  url: URL | string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> => {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, headers, method }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
    })
    asked.on('error', reject).end()
  })
}

describe('view', () => {
  test('serves the report on this machine alone, and ends on Ctrl-C', async () => {
    using p = project(files)
    p.cli(['run', '-q'])
    const view = await viewing(p)
    expect(view.url.hostname).toBe('127.0.0.1')
    const page = await get(view.url, view.url.pathname)
    expect(page.status).toBe(200)
    expect(page.text).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; .*connect-src 'self'.*frame-ancestors 'none'$/,
      ),
    })
    expect(Object.keys(page.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect((await get(view.url, view.url.pathname, {}, 'HEAD')).text).toBe('')
    view.kill('SIGINT')
    expect(await view.ended).toBe(0)
  })

  test('shows the other arm of a run with a baseline, and ends when its terminal is closed', async () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': `${head}cases: [{id: a, input: x, mock: [ok], expected: {output: [equals: ok]}}]\n`,
    })
    p.cli(['run', '-q', '--baseline', 'without_skills'])
    const view = await viewing(p)
    expect((await get(view.url, view.url.pathname)).text).toContain('data-kind="base"')
    view.kill('SIGHUP')
    expect(await view.ended).toBe(0)
  })

  test('leaves the file on disk as strict as it was', async () => {
    using p = project(files)
    p.cli(['run', '-q'])
    const before = readFileSync(join(p.dir, 'reports/latest/report.html'), 'utf8')
    const view = await viewing(p)
    await get(view.url, view.url.pathname)
    expect(readFileSync(join(p.dir, 'reports/latest/report.html'), 'utf8')).toBe(before)
    expect(before).not.toContain('connect-src')
  })

  test('refuses other names, other sites, other paths and anything but reading', async () => {
    using p = project({ ...files, 'secret.txt': 'secret' })
    p.cli(['run', '-q'])
    const { url } = await viewing(p)
    const at = url.pathname
    const host = url.host
    const refused = [
      get(url, at, { host: 'evil.example' }),
      get(url, at, { host: `evil.example:${url.port}` }),
      get(url, at, { host: `127.0.0.1:1` }),
      get(url, at, { host, origin: 'http://evil.example' }),
      get(url, at, { host, origin: 'null' }),
      get(url, `${at}events`, { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }),
      // Another port of this machine is the same site, and none of ours.
      get(url, at, { host, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }),
      get(url, at, { host }, 'POST'),
      get(url, at, { host }, 'OPTIONS'),
      get(url, '/'),
      get(url, '/favicon.ico'),
      get(url, at.slice(0, -2)),
      get(url, `${at.slice(0, -3)}xx/`),
      get(url, `${at}../secret.txt`),
      get(url, `${at}..%2f..%2fsecret.txt`),
      get(url, `${at}run.json`),
      get(url, `${at}results.jsonl`),
      get(url, `${at}/etc/passwd`),
    ]
    const answers = await Promise.all(refused)
    expect(answers.map(({ status }) => status)).toEqual([
      ...[421, 421, 421, 403, 403, 403, 403, 405, 405],
      ...Array(9).fill(404),
    ])
    for (const { text } of answers) expect(text).not.toMatch(/secret|root:|doctype/)
    expect((await get(url, at, { host: `localhost:${url.port}` })).status).toBe(200)
    // A link that somebody follows comes from another site, and is a visit.
    expect((await get(url, at, { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).status).toBe(
      200,
    )
  })

  test('takes the port that is asked for, and says which is in use', async () => {
    using p = project(files)
    p.cli(['run', '-q'])
    const { url } = await viewing(p)
    const second = p.cli(['view', '--port', url.port])
    expect([second.code, second.out]).toEqual([2, ''])
    expect(second.err).toContain(`the port ${url.port} is in use`)
    expect(p.cli(['view', '--port', '70000']).code).toBe(2)
  })

  test('ends with 2 where there is no run', () => {
    using p = project(files)
    const { code, err } = p.cli(['view'])
    expect([code, err]).toEqual([2, expect.stringContaining('there is no latest run')])
  })

  test('--open gives the address to the browser of this machine, and says where there is none', async () => {
    using p = project({
      ...files,
      'bin/xdg-open': '#!/bin/sh\nprintf "%s" "$1" > "$OPENED.part" && mv "$OPENED.part" "$OPENED"\n',
    })
    chmodSync(join(p.dir, 'bin/xdg-open'), 0o755)
    p.cli(['run', '-q'])
    const opened = join(p.dir, 'opened')
    const view = await viewing(p, ['--open'], { PATH: `${p.dir}/bin:/usr/bin:/bin`, OPENED: opened })
    await until(() => existsSync(opened))
    expect(readFileSync(opened, 'utf8')).toBe(view.url.href)
    const without = await viewing(p, ['--open'], { PATH: join(p.dir, 'evals') })
    await until(() => without.said.err.includes('open the address yourself'))
  })
})

describe.skipIf(chromium === undefined)(`view in a browser${noBrowser}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('shows a run that has not ended, and all of it once it has, without being asked', async () => {
    const cases = Array.from({ length: 40 }, (_, i) => `  - {id: c${i}, input: x, mock: [{final_answer: ok}]}\n`)
    using p = project({
      'evals/s.eval.yaml': `name: s\nmodel: m\ncases:\n${cases.join('')}`,
      '.agent/config.json': '{"models": {"m": {"provider": "mock", "params": {"latency_ms": 50}}}}',
    })
    const run = p.start(['run', '-q', '--concurrency', '1'])
    const rows = () => {
      const folder = existsSync(join(p.dir, 'reports')) ? readdirSync(join(p.dir, 'reports'))[0] : undefined
      const path = join(p.dir, 'reports', folder ?? '', 'results.jsonl')
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
    }
    // However slow the machine is, the page is looked at in the middle of the run.
    await until(() => rows() > 2)
    run.kill('SIGKILL')
    await run.ended
    const view = await viewing(p)
    const page = await browser.newPage()
    const told: string[] = []
    page.on('console', (message) => told.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => told.push(`threw: ${error.message}`))
    await page.goto(view.url.href)
    const text = () =>
      page
        .locator('main')
        .first()
        .innerText()
        .catch(() => '')
    await until(async () => /unfinished/i.test(await text()))
    const rest = p.start(['run', '--resume', '-q'])
    expect(await rest.ended).toBe(0)
    await until(async () => /40/.test(await text()) && !/unfinished/i.test(await text()))
    expect(told).toEqual([])
    view.kill('SIGTERM')
    expect(await view.ended).toBe(0)
  })
})
