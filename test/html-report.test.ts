import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TrialResult } from '../src/core/results.ts'
import { pack, project } from './support/cli.ts'
import { config, recordedCase, recordedProject } from './support/recorded-project.ts'
import { chromium, noBrowser, reportInBrowser, seriousProblems, shippedViewer } from './support/report-page.ts'
import { HOSTILE, hostileSuite, runOf, sampleCase, sampleRun, sampleSuite, sampleTrial } from './support/sample-run.ts'

const suite = `name: shop
skills: [../skills]
model: mock
cases:
  - {id: greets, tags: [smoke], input: x, mock: [{final_answer: hello}], expected: {output: [{contains: hello}]}}
  - {id: counts, input: How many are there?, mock: [{select_skills: csv-analyzer}, {write_file: {path: ../out, content: x}}, {final_answer: two}], expected: {output: [{equals: three}]}}
  - {id: breaks, input: x, mock: []}
  - {id: waits, input: x, skip: later, mock: []}
`
const projectFiles = { ...pack, 'evals/shop.eval.yaml': suite }

const nested = (depth: number): unknown => {
  let value: unknown = 'deep'
  for (let i = 0; i < depth; i++) value = [value]
  return value
}

describe('report.html of a run', () => {
  test('is left in the folder of the run, and where --reporter html=PATH says', () => {
    using p = project(projectFiles)
    const { code } = p.cli(['run', '-q', '--reporter', 'html=out/report.html'])
    expect(code).toBe(1)
    const html = readFileSync(join(p.dir, 'reports/latest/report.html'), 'utf8')
    expect(readFileSync(join(p.dir, 'out/report.html'), 'utf8')).toBe(html)
    expect(html).toMatch(/^<!doctype html>/)
    expect(html).toContain(`content="default-src 'none'; script-src 'sha256-`)
    expect(p.cli(['run', '-q', '--reporter', 'html']).out).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
  })

  test('holds no secret, packed as it is', () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    using p = project({
      ...pack,
      'evals/t.eval.yaml': `name: t\nmodel: mock\ncases:\n  - {id: a, description: "${secret}", input: "use ${secret}", tags: [x], mock: [{write_file: {path: a.txt, content: "${secret}"}}, {final_answer: "${secret}"}], expected: {output: [{equals: "${secret}x"}]}}\n`,
    })
    p.cli(['run', '-q'])
    const html = readFileSync(join(p.dir, 'reports/latest/report.html'), 'utf8')
    const blocks = [...html.matchAll(/data-first="0">([^<]*)</g)].map(([, packed = '']) =>
      inflateSync(Buffer.from(packed, 'base64')).toString(),
    )
    expect(blocks.length).toBe(4)
    expect(blocks.join('')).not.toContain(secret)
    expect(blocks[2]?.match(/\[redacted:/g)?.length).toBeGreaterThanOrEqual(5)
  })

  test('is part of what --help and its mistakes name', () => {
    using p = project(projectFiles)
    expect(p.cli(['run', '--help']).out).toMatch(/junit,\s+html,\s+markdown/)
    expect(p.cli(['run', '--reporter', 'htm']).err).toContain('junit, html, markdown')
  })

  test('keeps the viewer small', () => {
    const { script, style } = shippedViewer()
    expect(script.length).toBeGreaterThan(20_000)
    expect(script.length + style.length).toBeLessThan(100_000)
  })
})

describe.skipIf(chromium === undefined)(`report.html in a browser${noBrowser}`, () => {
  const shown = reportInBrowser(projectFiles)

  test('opens from disk with no request and no word on the console, the verdict first', async () => {
    await using r = await shown.open(shown.report())
    const text = await r.text()
    expect(text).toContain('Of 3 cases, 1 failed, 1 could not be judged')
    expect(text).toContain('shop/counts')
    expect(text).toContain("skills-eval run evals/shop.eval.yaml --filter '=counts'")
    for (const hash of ['#/cases', '#/case/shop/counts/mock/1', '#/feedback', '#/comparison', '#/nonsense'])
      await r.go(hash)
    expect(r.told).toEqual([])
  })

  test('runs no script and takes no style but its own', async () => {
    await using r = await shown.open(shown.report())
    await r.page.evaluate(
      "{ const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s); document.body.setAttribute('style', 'color: red'); new Image().src = 'https://x.example/a.png' }",
    )
    expect(await r.page.evaluate('window.ran')).toBeUndefined()
    expect(await r.page.evaluate("getComputedStyle(document.body).color === 'rgb(255, 0, 0)'")).toBe(false)
    expect(r.told.filter((line) => line.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(3)
  })

  test('shows a trial: actions, what decided, what came of it, checks and answer', async () => {
    await using r = await shown.open(shown.report(), '#/case/shop/counts/mock')
    await r.press('e')
    const text = await r.text()
    for (const part of [
      /Turn 1/,
      /select_skills\s+csv-analyzer/,
      /write_file\s+\.\.\/out/,
      /denied|error/,
      /decided by/,
      /observation/,
    ])
      expect(text).toMatch(part)
    expect(text).toMatch(/equals[\s\S]*expected: "three"[\s\S]*actual: +"two"/)
    expect(text).toMatch(/Answer\s+two/)
    expect(text).toMatch(/Request\s+How many are there\?/)
    expect(await r.page.title()).toMatch(/^counts · skills-eval/)
  })

  test('is worked by keys alone', async () => {
    await using r = await shown.open(shown.report())
    await r.press('Tab')
    expect(await r.focused()).toBe('Skip to the content')
    await r.press('c', '/')
    await r.page.keyboard.type('shop cou')
    expect(await r.text()).toContain('1 of 4 cases')
    expect(await r.page.evaluate('location.hash')).toBe('#/cases?q=shop+cou')
    await r.press('Escape', 'Escape', 'j', 'j', 'k', 'j')
    expect(await r.focused()).toBe('shop/breaks')
    await r.press('ArrowUp', 'Enter')
    await r.page.getByText('Trajectory').waitFor()
    expect(await r.page.evaluate('location.hash')).toBe('#/case/shop/counts/mock')
    expect(await r.focused()).toContain('shop/counts')
    await r.press('n')
    await r.page.getByRole('heading', { name: 'shop/breaks' }).waitFor()
    await r.press('Escape')
    await r.page.getByText('4 cases').waitFor()
    expect(await r.focused()).toBe('shop/breaks')
    await r.press('?')
    await r.page.getByRole('dialog').waitFor()
    await r.press('Escape')
    await r.page.getByRole('dialog').waitFor({ state: 'detached' })
    await r.press('o', '/')
    expect(await r.page.evaluate('[location.hash, document.activeElement.type]')).toEqual(['#/cases', 'search'])
  })

  test('gives every control its turn with Tab', async () => {
    for (const hash of ['', '#/cases', '#/case/shop/counts/mock']) {
      await using r = await shown.open(shown.report(), hash)
      const controls = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((one) => one.checkVisibility() && !one.matches('tbody tr:not([aria-current]) a'))`
      const count: number = await r.page.evaluate(`${controls}.length`)
      await r.page.evaluate('document.body.focus()')
      // What can be scrolled has a turn too.
      for (let i = 0; i < count + 5; i++) {
        await r.press('Tab')
        await r.page.evaluate("document.activeElement.dataset.reached = 'yes'")
      }
      expect(
        await r.page.evaluate(`${controls}.filter((one) => !one.dataset.reached).map((one) => one.outerHTML)`),
      ).toEqual([])
    }
  })

  test('can do without single keys', async () => {
    await using r = await shown.open(shown.report())
    await r.press('?')
    await r.page.getByLabel('Keys without a modifier').uncheck()
    await r.press('Escape', 'c')
    expect(await r.page.evaluate('location.hash')).toBe('')
  })

  test('has nothing serious for axe, light and dark, on any page', async () => {
    const sample = shown.save('sample.html', shown.htmlOf(sampleRun()))
    const pages = [
      '',
      '#/cases',
      '#/case/csv/top-months/mock',
      '#/case/csv/sometimes/gpt-5/2',
      '#/feedback',
      '#/comparison',
    ]
    for (const colorScheme of ['light', 'dark'] as const) {
      await using r = await shown.open(sample, '', { colorScheme })
      for (const hash of pages) {
        await r.go(hash === '' ? '#/' : hash)
        expect([hash, colorScheme, await seriousProblems(r.page)]).toEqual([hash, colorScheme, []])
      }
      await r.press('?')
      expect(await seriousProblems(r.page)).toEqual([])
    }
  }, 180_000)

  test('filters, sorts, and is found again by its address', async () => {
    const sample = shown.save('sample.html', shown.htmlOf(sampleRun()))
    await using r = await shown.open(sample, '#/cases?status=failed,stale&sort=-case')
    const names = () => r.page.locator('tbody td.col-case a').allInnerTexts()
    expect((await names()).slice(0, 4)).toEqual([
      'states/old-tape',
      'states/fixed-bug',
      'csv/top-months',
      'csv/sometimes',
    ])
    await r.page.getByRole('button', { name: 'tokens' }).click()
    expect(await r.page.locator('th[aria-sort=ascending]').innerText()).toContain('tokens')
    expect((await names()).at(-1)).toBe('csv/sometimes')
    await r.page.getByRole('button', { name: 'Clear' }).click()
    expect((await names()).length).toBe(11)
    await r.page.getByLabel('tag').selectOption('smoke')
    expect(await names()).toEqual(['csv/greets'])
    expect(await r.page.evaluate('location.hash')).toContain('tag=smoke')
  })

  test('shows hostile text everywhere as text', async () => {
    const text = `${HOSTILE}\n<img src=x onerror="window.hacked=1"><a href="javascript:window.hacked=2">x</a><style>*{display:none}</style>`
    const sample = shown.save('hostile.html', shown.htmlOf(runOf([hostileSuite(text)])))
    await using r = await shown.open(sample)
    const addresses: string[] = await r.page.evaluate(
      `[...document.querySelectorAll('main a[href^="#/case/"]')].map((link) => link.getAttribute('href'))`,
    )
    expect(addresses.length).toBe(2)
    for (const hash of ['#/cases', ...addresses, `#/case/${text}`, '#/cases?q=%E0%A4%A']) {
      await r.go(hash)
      await r.press('e')
      for (const summary of await r.page.locator('main details:not([open]) > summary').all())
        if (await summary.isVisible()) await summary.click()
      expect(
        await r.page.evaluate(
          "document.querySelectorAll('main img, main b[onclick], main style, main script, main iframe').length",
        ),
      ).toBe(0)
      expect(
        await r.page.evaluate(
          "[...document.querySelectorAll('a')].map((a) => a.getAttribute('href') ?? '').filter((href) => !href.startsWith('#'))",
        ),
      ).toEqual([])
    }
    expect(await r.page.evaluate('window.hacked')).toBeUndefined()
    expect(r.told).toEqual([])
    await r.go(addresses[0] ?? '')
    const seen = await r.text()
    for (const part of [
      '<script>alert(1)</script>',
      '\\u202e',
      '\\x1b[31m',
      '\\x00',
      '\\ud800',
      '\\u{e0041}',
      'javascript:',
    ])
      expect(seen).toContain(part)
    expect(seen).not.toMatch(/[\u0000\u001b\u202e\u200b\u{e0041}]/u)
  }, 120_000)

  test('draws every page of whatever a model, a skill or a suite may have said', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', HOSTILE, '__proto__', '../..', '%', '#', '- a\n+ b'),
    )
    const value = fc.oneof(fc.jsonValue(), text, fc.constant(nested(20_000)))
    const action = fc.record({
      turn: fc.nat(3),
      action: fc.oneof(
        text,
        fc.constantFrom('update_plan', 'select_skills', 'run_script', 'final_answer', 'call_tool'),
      ),
      params: fc.dictionary(fc.oneof(text, fc.constantFrom('skills', 'steps', 'path', 'args', 'patch')), value),
      status: fc.constantFrom('ok', 'error', 'denied'),
      observation: text,
      duration_ms: fc.double({ noNaN: true, noDefaultInfinity: true }),
    })
    const check = fc.record({
      name: text,
      kind: fc.oneof(text, fc.constantFrom('equals', 'json_equals', 'contains')),
      passed: fc.boolean(),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      weight: fc.double({ noNaN: true, noDefaultInfinity: true }),
      message: text,
      expected: value,
      actual: value,
    })
    const trial = fc.record({
      status: fc.constantFrom('passed', 'failed', 'error', 'stale', 'skipped'),
      reason: text,
      output: fc.option(text),
      actions: fc.array(action, { maxLength: 4 }),
      checks: fc.array(check, { maxLength: 3 }),
      brand_new: value,
    })
    const made = fc.sample(fc.tuple(text, fc.array(trial, { maxLength: 2 })), { numRuns: 60, seed: 7 })
    const cases = made.map(([id, trials], i) =>
      sampleCase({
        id: `c${i + 100}${id}`,
        status: trials[0]?.status ?? 'skipped',
        trials: trials.map((one, n) => sampleTrial({ ...(one as Partial<TrialResult>), n: n + 1 })),
      }),
    )
    await using r = await shown.open(shown.save('any.html', shown.htmlOf(runOf([sampleSuite('s', cases)]))), '#/cases')
    await r.page.locator('tbody a').first().click()
    for (const i of cases.keys()) {
      await r.page.getByRole('heading', { level: 1, name: `s/c${i + 100}` }).waitFor()
      await r.press('e')
      expect(await r.page.getByText("can't be shown").count()).toBe(0)
      await r.press('n')
    }
    expect(r.told).toEqual([])
  }, 120_000)

  test('shows the start of 10 MB of output, and more of it when asked', async () => {
    const output = 'All work and no play. '.repeat(500_000)
    const run = runOf([sampleSuite('big', [sampleCase({ id: 'long', trials: [sampleTrial({ output })] })])])
    await using r = await shown.open(shown.save('big.html', shown.htmlOf(run)), '#/case/big/long/mock')
    expect((await r.text()).length).toBeLessThan(10_000)
    await r.page.getByRole('button', { name: 'Show more' }).click()
    expect((await r.text()).length).toBeGreaterThan(100_000)
    expect(r.told).toEqual([])
  })

  test('has only the rows of a long list in the page that are in view', async () => {
    const cases = Array.from({ length: 3_000 }, (_, i) =>
      sampleCase({ id: `case-${i}`, status: i % 7 ? 'passed' : 'failed' }),
    )
    await using r = await shown.open(shown.save('long.html', shown.htmlOf(runOf([sampleSuite('s', cases)]))), '#/cases')
    const rows = () => r.page.locator('tbody tr:not(.gap)').count()
    expect(await rows()).toBeLessThan(100)
    await r.press('End')
    await r.page.getByRole('link', { name: 's/case-2999' }).waitFor()
    await expect.poll(r.focused).toBe('s/case-2999')
    expect(await rows()).toBeLessThan(100)
    await r.press('/')
    await r.page.keyboard.type('case-77')
    expect(await r.text()).toContain('11 of 3,000 cases')
    expect(await r.focused()).not.toContain('case')
  })

  test('shows the plan as it went on, what a sub-agent did, and what a newer program wrote', async () => {
    const step = (action: string, params: object, more: object = {}) => ({
      turn: 1,
      action,
      params: { ...params },
      status: 'ok' as const,
      observation: `saw ${action}`,
      duration_ms: 1,
      ...more,
    })
    const actions = [
      step('update_plan', {
        steps: [
          { id: 'a', title: 'Read it' },
          { id: 'b', title: 'Sum it' },
        ],
      }),
      step('update_plan', { patch: true, steps: [{ id: 'a', status: 'completed' }] }),
      step('spawn', {}, { actions: [step('read_file', { path: 'inner.txt' })] }),
    ]
    const trial = { ...sampleTrial({ actions }), brand_new: { votes: 3 } }
    const run = runOf([sampleSuite('s', [sampleCase({ id: 'a', trials: [trial] })])])
    await using r = await shown.open(shown.save('plan.html', shown.htmlOf(run)), '#/case/s/a/mock')
    await r.press('e')
    const text = await r.text()
    expect(text).toMatch(
      /Read it pending, new[\s\S]*Sum it pending, new[\s\S]*Read it completed, changed\s*○ Sum it pending\s/,
    )
    expect(text).toMatch(/what the sub-agent did[\s\S]*inner\.txt[\s\S]*saw read_file/)
    await r.page.getByText('brand new').click()
    expect(await r.text()).toContain('"votes": 3')
  })

  test('keeps what a person writes, and exports it as feedback.json', async () => {
    await using r = await shown.open(shown.report(), '#/case/shop/counts/mock/1')
    await r.page.getByLabel('Your feedback on this trial').fill('It counts wrongly: </script> 2 is 3')
    await r.page.getByRole('button', { name: 'bad', exact: true }).focus()
    await r.press('Enter')
    await r.page.reload()
    await r.page.getByLabel('Your feedback on this trial').waitFor()
    expect(await r.page.getByLabel('Your feedback on this trial').inputValue()).toContain('It counts wrongly')
    await r.go('#/feedback')
    const download = r.page.waitForEvent('download')
    await r.page.getByRole('link', { name: 'Export feedback.json' }).click()
    const path = await (await download).path()
    expect((await download).suggestedFilename()).toBe('feedback.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      format: 'skills-eval/feedback@1',
      run: expect.stringMatching(/^\d{8}-/),
      reviews: [
        {
          run_id: 'shop/counts/mock/1',
          suite: 'shop',
          case: 'counts',
          model: 'mock',
          trial: 1,
          rating: 'bad',
          feedback: 'It counts wrongly: </script> 2 is 3',
          timestamp: expect.stringMatching(/^\d{4}-/),
        },
      ],
      status: 'complete',
    })
    expect(r.told).toEqual([])
  })

  test('holds two runs against each other, their trials side by side', async () => {
    using two = project(projectFiles)
    two.cli(['run', '-q'])
    two.write({
      'evals/shop.eval.yaml': suite.replace('{equals: three}', '{equals: two}').replace('id: greets', 'id: greeted'),
    })
    two.cli(['run', '-q'])
    const { code } = two.cli(['compare', 'previous', '--max-regression', '50%', '--reporter', 'html=both.html'])
    expect(code).toBe(0)
    await using r = await shown.open(join(two.dir, 'both.html'), '#/comparison')
    const text = await r.text()
    expect(text).toMatch(/fixed\s+shop\/counts/)
    expect(text).toMatch(/gone\s+shop\/greets/)
    expect(text).toMatch(/new\s+shop\/greeted/)
    expect(await seriousProblems(r.page)).toEqual([])
    await r.page.getByRole('link', { name: 'shop/counts' }).click()
    await r.page.getByRole('heading', { name: 'base failed' }).waitFor()
    expect(await r.page.getByRole('region', { name: 'this run' }).innerText()).toMatch(/passed[\s\S]*equals/)
    expect(await r.page.getByRole('region', { name: 'base' }).innerText()).toMatch(/expected: "three"/)
    expect(await seriousProblems(r.page)).toEqual([])
    await r.go('#/case/shop/greets/mock')
    await r.page.getByText('The case is gone').waitFor()
    expect(await r.text()).toContain('hello')
    expect(r.told).toEqual([])
  })

  test('says how a stale recording is made anew, and a missing one', async () => {
    using recorded = recordedProject()
    recorded.cli(['record', '-q'])
    recorded.write({ 'evals/t.eval.yaml': recordedCase({ input: 'Which were the best?' }) })
    recorded.cli(['run', '-q', '--record', 'replay', '--config', '.agent/config.json'])
    await using stale = await shown.open(join(recorded.dir, 'reports/latest/report.html'))
    expect(await stale.text()).toContain('skills-eval run evals/t.eval.yaml --record stale --config .agent/config.json')
    expect(await stale.text()).toContain('differs from its recording: input')
    await stale.go('#/case/t/top/m')
    const text = await stale.text()
    expect(text).toMatch(
      /Differs from what was recorded:\s+request - as recorded[^\n]*\s+- Which two months were best\?\n\+ Which were the best\?/,
    )
    expect(text).toContain(
      "skills-eval run evals/t.eval.yaml --filter '=top' --config .agent/config.json --record stale",
    )
    recorded.write({
      'evals/t.eval.yaml': recordedCase().replace('id: top', 'id: new'),
      '.agent/config.json': config({}, { provider: 'openai', model: 'x' }),
    })
    recorded.cli(['run', '-q', '--record', 'replay'])
    await using missing = await shown.open(join(recorded.dir, 'reports/latest/report.html'))
    expect(await missing.text()).toContain('skills-eval run evals/t.eval.yaml --record missing')
    await missing.go('#/case/t/new/m')
    expect(await missing.text()).toContain("skills-eval run evals/t.eval.yaml --filter '=new' --record missing")
  })

  test.each([400, 700])('lists the cases without scrolling sideways at %d px', async (width) => {
    await using r = await shown.open(shown.report(), '#/cases', { viewport: { width, height: 700 } })
    const wide = 'document.querySelector(".rows").scrollWidth > document.querySelector(".rows").clientWidth'
    expect(await r.page.evaluate(`${wide} || document.documentElement.scrollWidth > innerWidth`)).toBe(false)
    expect(await r.page.locator('td.col-case').first().isVisible()).toBe(true)
    expect((await r.page.locator('td.col-case').first().boundingBox())?.width).toBeGreaterThan(width / 3)
    expect(await seriousProblems(r.page)).toEqual([])
  })

  test('prints all of a case', async () => {
    await using r = await shown.open(shown.report(), '#/case/shop/counts/mock')
    await r.page.emulateMedia({ media: 'print' })
    const observations = () =>
      r.page.evaluate("[...document.querySelectorAll('.action .inside')].filter((one) => one.checkVisibility()).length")
    const before = await observations()
    await r.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(await observations()).toBe(3)
    expect(await r.page.getByRole('button', { name: 'Keys' }).isVisible()).toBe(false)
    await r.page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(await observations()).toBe(before)
  })

  test('says so where the file was cut off', async () => {
    const html = readFileSync(shown.report(), 'utf8')
    const at = html.indexOf('data-kind="rows"') + 40
    await using r = await shown.open(shown.save('cut.html', html.slice(0, at) + html.slice(at + 60)))
    await r.page.getByText("This report can't be shown").waitFor()
    expect(await r.text()).toContain('run.json')
  })
})
