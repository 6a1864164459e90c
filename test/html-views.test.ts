import { describe, expect, test } from 'vitest'
import type { CheckResult } from '../src/core/results.ts'
import type { ActionResult } from '../src/schema/run.ts'
import { pack } from './support/cli.ts'
import { chromium, noBrowser, reportInBrowser, seriousProblems } from './support/report-page.ts'
import { sampleBaseline, sampleCaseBaseline, sampleLift } from './support/sample-baseline.ts'
import {
  HOSTILE,
  runOf,
  type SampleRun,
  sampleCase,
  sampleSuite,
  sampleSummary,
  sampleTrial,
} from './support/sample-run.ts'

const suite = `name: shop
skills: [../skills]
model: mock
judge: mock
defaults:
  mock:
    rules:
      - {when: {skill_loaded: csv-analyzer}, do: [{final_answer: "Feb and Mar were best:\\nlarge  orders came in."}]}
      - {when: {skill_available: csv-analyzer}, do: [{select_skills: csv-analyzer}]}
    otherwise: [{final_answer: Some months were best.}]
cases:
  - id: counts
    input: Which were best?
    expected: {skills: [csv-analyzer], output: [{contains: Feb}, {contains: best}]}
  - id: judged
    input: Which were best, and why?
    mock_judge:
      - {criterion: months, verdict: pass, quote: Feb and Mar}
      - {criterion: why, verdict: fail, reason: not whose orders, times: 1}
      - {criterion: why, verdict: pass, reason: it says so, quote: large orders came in}
      - {criterion: weak, verdict: pass, reason: invented, quote: April was weak}
    expected: {output: [{rubric: [two months, says why, names the weak one], judges: 3}]}
`

describe.skipIf(chromium === undefined)(`report.html${noBrowser}`, () => {
  const shown = reportInBrowser({ ...pack, 'evals/shop.eval.yaml': suite }, [
    '--baseline',
    'without_skills',
    '--audit=warn',
  ])
  const open = (hash = '') => shown.open(shown.report(), hash)
  const saved = (name: string, run: SampleRun) => shown.save(name, shown.htmlOf(run))

  test('tells what the skills add, and which checks show nothing', async () => {
    await using r = await open()
    const text = await r.text()
    expect(text).toMatch(/What the skills add\s+baseline without skills: pass rate 0% → 50%/)
    expect(text).toMatch(/csv-analyzer\s+1\s+0%\s+100%\s+\+100 points/)
    await r.page.getByText(/hold.* in both arms and show/).click()
    expect(await r.text()).toMatch(/shop\/counts\s+contains "best"/)
    await r.page.getByRole('link', { name: 'Cases by their lift' }).click()
    await r.page.getByRole('heading', { name: 'Cases' }).waitFor()
    expect(await r.page.locator('tbody tr:not(.gap)').allInnerTexts()).toEqual([
      expect.stringMatching(/shop\/judged[\s\S]*±0/),
      expect.stringMatching(/shop\/counts[\s\S]*\+100/),
    ])
    expect(r.told).toEqual([])
  })

  test('shows a case in both arms side by side', async () => {
    await using r = await open('#/case/shop/counts/mock')
    await r.page.getByRole('heading', { name: 'without skills' }).last().waitFor()
    const text = await r.text()
    expect(text).toMatch(/Against the baseline, without skills\s+Pass rate 0% → 100%, \+100 points/)
    expect(text).toMatch(/Not compared[^:]*:\s+the skills selected are csv-analyzer/)
    expect(text).toMatch(/Holds in both arms, so shows nothing:\s+contains "best"/)
    const side = (name: string) => r.page.getByRole('region', { name, exact: true }).innerText()
    expect(await side('without skills')).toMatch(/failed[\s\S]*Some months were best/)
    expect(await side('this run')).toMatch(/passed[\s\S]*Feb and Mar were best/)
    expect(await seriousProblems(r.page)).toEqual([])
    expect(r.told).toEqual([])
  })

  test('shows what the judges said of each criterion, and their quotes in the answer', async () => {
    await using r = await open('#/case/shop/judged/mock')
    const side = r.page.getByRole('region', { name: 'this run', exact: true })
    const text = await side.innerText()
    expect(text).toMatch(/met two months 3 of 3 judges\s+3 × pass: as mock_judge says Feb and Mar/)
    expect(text).toMatch(
      /met says why 2 of 3 judges\s+fail: not whose orders\s+2 × pass: it says so large orders came in/,
    )
    expect(text).toMatch(
      /not met names the weak one 0 of 3 judges[\s\S]*not believed: invented April was weak is not in the text/,
    )
    expect(await side.locator('mark').allInnerTexts()).toEqual(['Feb and Mar', 'large  orders came in'])
    await side.getByRole('button', { name: 'Show in the answer' }).last().focus()
    await r.press('Enter')
    expect(await r.focused()).toBe('large  orders came in')
    expect(await seriousProblems(r.page)).toEqual([])
    expect(r.told).toEqual([])
  })

  test('tells of the audit, of shards, and of the skills that were mistaken for each other', async () => {
    await using r = await open()
    expect(await r.text()).toMatch(/Audit of the checks\s+audit: \d+ of \d+ checks vacuous/)
    const cases = [sampleCase({ id: 'a' })]
    const head = {
      missing_shards: [2],
      interference: [{ skills: ['csv', 'logs'], times: [3, 1], shared_words: ['tables', 'rows'] }],
      shard: { index: 1, total: 3, plan: 'x', cases: 30, thresholds: {} },
      summary: {
        trigger: {
          ...runOf([]).head.summary.trigger,
          skills: { csv: { tp: 1, fp: 1, fn: 3, tn: 0, precision: 0.5, recall: 0.25, f1: 0.3, specificity: 0 } },
        },
      },
    } satisfies Parameters<typeof runOf>[1]
    await using made = await shown.open(saved('made.html', runOf([sampleSuite('s', cases)], head)))
    const text = await made.text()
    expect(text).toContain('Shard 1 of 3: its part of a plan of 30 cases')
    expect(text).toContain('Merged without shard 2')
    expect(text).toMatch(/csv\s+logs\s+3\s+1\s+tables, rows/)
  })

  test('puts one case that fails alike on several models in one place, each model a link', async () => {
    const failed = (id: string, model: string, reason: string) =>
      sampleCase({ id, model, reason, status: 'failed', pass_rate: 0 })
    const cases = [
      failed('a', 'big', 'no'),
      failed('b', 'big', 'no'),
      failed('a', 'small', 'no'),
      failed('b', 'small', 'else'),
    ]
    await using r = await shown.open(saved('models.html', runOf([sampleSuite('s', cases)])))
    expect(await r.page.locator('ul.problems > li').allInnerTexts()).toEqual([
      expect.stringMatching(/s\/a big, small\s+no/),
      expect.stringMatching(/s\/b big\s+no/),
      expect.stringMatching(/s\/b small\s+else/),
    ])
    await r.page.getByRole('link', { name: 'small', exact: true }).click()
    await r.page.getByText('Trajectory').waitFor()
    expect(await r.page.evaluate('location.hash')).toBe('#/case/s/a/small')
  })

  test('tells of attempts, of trials that were not needed, and what judging cost', async () => {
    const judge = {
      profile: 'judge',
      models: ['judge-5'],
      usage: { input_tokens: 900, output_tokens: 20, cached_input_tokens: 0, reasoning_tokens: 0 },
      cost_usd: 0.02,
    }
    const cases = [sampleCase({ id: 'a', trials_planned: 10, trials: [sampleTrial({ attempts: 3, judge })] })]
    await using r = await shown.open(saved('tries.html', runOf([sampleSuite('s', cases)])), '#/case/s/a/mock')
    const text = await r.text()
    expect(text).toMatch(/attempts\s+3, all counted/)
    expect(text).toMatch(/1 of 10: they had decided the case/)
    expect(text).toMatch(/judge\s+judge, judge-5: 900, 20 tokens, \$0\.02/)
  })

  test('marks what judges quoted of a file where it was written, and opens that', async () => {
    const write = (turn: number, content: string): ActionResult => ({
      turn,
      action: 'write_file',
      params: { path: 'report.md', content },
      status: 'ok',
      observation: 'written',
      duration_ms: 1,
    })
    const verdict = { verdict: 'pass', reason: 'so it is', quote: 'March, by far', supported: true }
    const rubric: CheckResult = {
      name: 'report.md',
      kind: 'rubric',
      place: 'files[0].checks[0]',
      passed: true,
      score: 1,
      weight: 1,
      actual: [{ criterion: 'best', met: true, passes: 1, judges: 1, verdicts: [verdict] }],
    }
    const actions = [write(1, 'First\nMarch, by far'), write(2, 'It was March,\nby far.\n')]
    const trial = sampleTrial({ checks: [rubric], actions, output: 'It was March, by far.' })
    const run = runOf([sampleSuite('s', [sampleCase({ id: 'a', trials: [trial] })])])
    await using r = await shown.open(saved('files.html', run), '#/case/s/a/mock')
    await r.page.getByRole('button', { name: 'Show in the trajectory' }).click()
    expect(await r.page.locator('mark:visible').allInnerTexts()).toEqual(['March,\nby far'])
    expect(await r.focused()).toBe('March,\nby far')
    expect(await r.page.locator('mark').count()).toBe(2)
    expect(await seriousProblems(r.page)).toEqual([])
    expect(r.told).toEqual([])
  })

  test('shows each stale part as it was recorded and as it is now', async () => {
    const cassette = {
      path: 'r.json',
      mode: 'replay' as const,
      stale_parts: ['index', 'body:csv', 'observation:2', 'tools', 'judge:material'],
      differences: [
        { part: 'index', of: 'csv', recorded: null, now: 'New.' },
        { part: 'body:csv', recorded: 'a\nb\n<script>\nd\ne\nf', now: 'a\nb\n\u202ec\nd\ne\nf' },
        { part: 'observation:2', recorded: 'Mar', now: null },
        { part: 'tools', of: 'grep', recorded: '{"a":1,"b":[2]}', now: '{"a":1,"b":[3]}' },
        { part: 'judge:material', recorded: 'May', now: 'June' },
      ],
    }
    const trials = [sampleTrial({ status: 'stale', score: null, cassette })]
    const cases = [sampleCase({ id: 'a', status: 'stale', pass_rate: null, trials })]
    await using r = await shown.open(saved('stale.html', runOf([sampleSuite('s', cases)])), '#/case/s/a/mock')
    const parts = await r.page.locator('.stale-parts > li').allInnerTexts()
    expect(parts).toEqual([
      expect.stringMatching(/^description of csv was not there\s+\+ New\.\s*$/),
      expect.stringMatching(
        /^body of the skill csv[^\n]*\s+a\n {2}b\n- <script>\n\+ \\u202ec\n {2}d\n {2}e\n {2}… 1 equal line/,
      ),
      expect.stringMatching(/^observation 2 is no longer there\s+- Mar/),
      expect.stringMatching(/^tool grep[\s\S]*"b": \[\n- {5}2\n\+ {5}3/),
      expect.stringMatching(/^asked of the judge: material[\s\S]*- May\n\+ June/),
    ])
    expect(await seriousProblems(r.page)).toEqual([])
    await r.go('#/')
    expect(await r.text()).toContain(
      'differs from its recording: index, body:csv, observation:2, tools, judge:material',
    )
    expect(r.told).toEqual([])
  })

  test('reads a feedback.json, keeps what is newer, and shows each remark as text', async () => {
    await using r = await open('#/case/shop/counts/mock/1')
    await r.page.getByLabel('Your feedback on this trial').fill('mine')
    await r.go('#/feedback')
    const review = (run_id: string, feedback: string, timestamp: string, more: object = {}) => ({
      run_id,
      feedback,
      timestamp,
      ...more,
    })
    const theirs = {
      reviews: [
        review('shop/counts/mock/1', 'older', '2020-01-01T00:00:00Z'),
        review('shop/judged/mock/1', '<b>bold</b> \u202e', '2020-01-01T00:00:00Z', { rating: 'unsure' }),
        review('eval-0-with_skill', 'of skill-creator', '2020-01-01T00:00:00Z'),
        { feedback: 'about nothing' },
      ],
      status: 'in_progress',
    }
    const read = (text: string) =>
      r.page.getByLabel('Read a feedback.json').setInputFiles({
        name: 'feedback.json',
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      })
    await read(JSON.stringify(theirs))
    await r.page.getByText('3 remarks read, 1 without content left out').waitFor()
    const text = await r.text()
    expect(text).toMatch(/shop\/counts\/mock\/1\s+mine/)
    expect(text).toMatch(/shop\/judged\/mock\/1 unsure\s+<b>bold<\/b> \\u202e/)
    expect(text).toMatch(/eval-0-with_skill\s+of skill-creator/)
    expect(await seriousProblems(r.page)).toEqual([])
    await read('no JSON')
    await r.page.getByText('That is no feedback.json').waitFor()
    await r.go('#/case/shop/judged/mock/1')
    expect(await r.page.locator('button[aria-pressed=true]').innerText()).toBe('unsure')
    expect(r.told).toEqual([])
  })

  test('tells what was used of each skill, and the command that tells what was not', async () => {
    await using r = await open()
    expect(await r.text()).toMatch(/What was used of each skill[\s\S]*csv-analyzer\s+2\s+none\s+none/)
    expect(await r.text()).toContain('skills-eval skills coverage evals/shop.eval.yaml')
  })

  test('shows hostile text in every view as text, light and dark, with nothing serious for axe', async () => {
    const text = `${HOSTILE}<img src=x onerror="window.hacked=1">`
    const rubric: CheckResult = {
      ...{ name: text, kind: 'rubric', passed: false, score: 0, weight: 1, message: text, expected: [text] },
      actual: [
        {
          ...{ criterion: text, met: false, passes: 0, judges: 1 },
          verdicts: [
            { verdict: 'pass', reason: text, quote: text, supported: true },
            { verdict: 'pass', reason: text, quote: text, supported: false },
          ],
        },
      ],
    }
    const cassette = {
      ...{ path: text, mode: 'positional' as const, stale_parts: [text] },
      differences: [
        { part: text, of: text, recorded: text, now: `${text}\n${text}` },
        { part: `body:${text}`, recorded: null, now: text },
      ],
    }
    const judge = {
      ...{ profile: text, models: [text], cost_usd: 0 },
      usage: { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, reasoning_tokens: 0 },
    }
    const ran: ActionResult = {
      ...{ turn: 1, action: 'run_script', params: { skill: { name: text }, path: text }, status: 'ok' },
      ...{ observation: text, duration_ms: Number.MAX_VALUE },
    }
    const trial = sampleTrial({ output: text, checks: [rubric], cassette, judge, actions: [ran, ran] })
    const baseline = sampleCaseBaseline({ reason: text, not_compared: [text], hold_in_both: [text] })
    const result = sampleCase({ id: text, status: 'failed', reason: text, baseline, trials: [trial] })
    const made = sampleSuite(text, [result])
    const group = { suite: text, path: text, case: text, line: 1, cases: 1, vacuous_cases: 1, unjudged_cases: 0 }
    const run = runOf([{ ...made, head: { ...made.head, distractors: [text] } }], {
      baseline: sampleBaseline({
        ...{ arm: { kind: 'version', path: text }, problem: text, first_problem: text },
        skills: [{ skill: text, ...sampleLift() }],
        no_signal: { checks: 1, named: [{ suite: text, case: text, model: text, cases: 1, check: text }] },
        summary: { ...sampleSummary([]), errors: 1 },
      }),
      audit: {
        ...{ mode: 'fail', agents: { [text]: text }, cases: 1, checks: 1, vacuous_checks: 1, weak_checks: 0 },
        ...{ vacuous_cases: 1, negative_cases: 0, unjudged_cases: 0 },
        groups: [{ ...group, checks: [{ name: text, kind: text, passed_by: { [text]: 1, idle: 1 } }] }],
      },
      interference: [{ skills: [text, text], times: [1, 1], shared_words: [text] }],
      summary: { trigger: { ...made.head.summary.trigger, skills: { [text]: { ...noCounts, ...noRates } } } },
    })
    const html = shown.htmlOf(run, { cases: [{ suite: text, result }] })
    for (const colorScheme of ['light', 'dark'] as const) {
      await using r = await shown.open(shown.save('hostile.html', html), '', { colorScheme })
      const address: string = await r.page.evaluate(
        `document.querySelector('main a[href^="#/case/"]').getAttribute('href')`,
      )
      for (const hash of ['#/', address, '#/feedback']) {
        await r.go(hash)
        for (const summary of await r.page.locator('main details:not([open]) > summary').all()) {
          if (await summary.isVisible()) await summary.click()
        }
        expect(await r.page.locator('main img, main b[onclick], main script').count()).toBe(0)
        expect(await r.text()).not.toMatch(/[\u0000\u001b\u202e\u200b\u{e0041}]/u)
        expect(await seriousProblems(r.page)).toEqual([])
      }
      expect(await r.page.evaluate('window.hacked')).toBeUndefined()
      expect(r.told).toEqual([])
    }
  }, 120_000)
})

const noCounts = { tp: 1, fp: 0, fn: 0, tn: 0 }
const noRates = { precision: null, recall: null, f1: null, specificity: null }
