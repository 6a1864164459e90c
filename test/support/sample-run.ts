import type { Reporter } from '../../src/core/ports.ts'
import type { CaseResult, RunHead, SuiteHead, Summary, TrialResult } from '../../src/core/results.ts'

/** A run of made-up results, in the shape in which a reporter is told of one. */
export type SampleSuite = { readonly head: SuiteHead; readonly cases: readonly CaseResult[] }
export type SampleRun = { readonly head: RunHead; readonly suites: readonly SampleSuite[] }

/** All of a report, told in order. */
export const render = (reporter: Reporter, { head, suites }: SampleRun): string => {
  let text = reporter.start(head)
  for (const suite of suites) {
    text += reporter.suite(suite.head)
    for (const result of suite.cases) text += reporter.result(result)
  }
  return text + reporter.end()
}

/** Everything that has broken a report somewhere: markup, CI commands, control, bidi and forbidden characters. */
export const HOSTILE = [
  '<b onclick="x">&amp;</b> ]]> </script><script>alert(1)</script>',
  '::error::taken over',
  '  ::stop-commands::x',
  '##[group]x ##vso[task.setvariable]y ##teamcity[z]',
  '\u0001\u0000\u001b[31mred\u001b]8;;https://x.example\u0007link\r\b',
  '\u202egnp.exe\u2066 \u200b\u{e0041} \ud800 \udc00',
  '![img](https://x.example/a.png) [l](javascript:alert(1)) https://x.example www.x.example a@x.example @user #1',
  '`` ` ``` |a| \\| ~~~ $x$ *b* _i_ <!-- -->',
].join('\n')

export const sampleTrial = (trial: Partial<TrialResult> = {}): TrialResult => ({
  n: 1,
  status: 'passed',
  score: 1,
  output: 'ok',
  skills_selected: [],
  plan: null,
  actions: [],
  checks: [],
  usage: { input_tokens: 100, output_tokens: 20, cached_input_tokens: 0, reasoning_tokens: 0 },
  cost_usd: 0.001,
  duration_ms: 150,
  latency_ms: 120,
  ...trial,
})

export const sampleCase = (result: Partial<CaseResult> = {}): CaseResult => ({
  id: 'case',
  tags: [],
  model: 'mock',
  status: 'passed',
  pass_rate: 1,
  pass_at_k: { '1': 1 },
  pass_pow_k: { '1': 1 },
  interval: [0.2065, 1],
  flaky: false,
  trials: result.status === 'skipped' ? [] : [sampleTrial()],
  ...result,
})

const noRates = { precision: null, recall: null, f1: null, specificity: null }

export const sampleSummary = (cases: readonly CaseResult[], summary: Partial<Summary> = {}): Summary => {
  const count = (status: CaseResult['status']) => cases.filter((one) => one.status === status).length
  const trials = cases.flatMap((one) => one.trials)
  const usable = count('passed') + count('failed')
  return {
    cases: cases.length,
    trials: trials.length,
    passed: count('passed'),
    failed: count('failed'),
    errors: count('error'),
    stale: count('stale'),
    skipped: count('skipped'),
    pass_rate: usable === 0 ? null : count('passed') / usable,
    interval: usable === 0 ? null : [0.25, 0.75],
    trigger: { ...noRates, tp: 0, fp: 0, fn: 0, tn: 0, macro: noRates, skills: {}, confusion: [] },
    usage: { input_tokens: 1200, output_tokens: 240, cached_input_tokens: 0, reasoning_tokens: 0 },
    cost_usd: 0.012,
    judge: {
      usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 },
      cost_usd: 0,
    },
    latency_ms: { mean: 120, p50: 110, p95: 240, max: 300 },
    actions: { final_answer: trials.length },
    thresholds: [],
    ...summary,
  }
}

export const sampleSuite = (
  name: string,
  cases: readonly CaseResult[],
  { path = `evals/${name}.eval.yaml`, summary = {} }: { path?: string; summary?: Partial<Summary> } = {},
): SampleSuite => {
  const models = [...new Set(cases.map((one) => one.model))].map((model) => ({
    model,
    summary: sampleSummary(cases.filter((one) => one.model === model)),
    duration_ms: cases
      .filter((one) => one.model === model)
      .flatMap(({ trials }) => trials)
      .reduce((ms, { duration_ms }) => ms + duration_ms, 0),
  }))
  return { head: { name, path, summary: sampleSummary(cases, summary), models }, cases }
}

export const runOf = (
  suites: readonly SampleSuite[],
  { summary = {}, ...head }: Partial<Omit<RunHead, 'summary' | 'suites'>> & { summary?: Partial<Summary> } = {},
): SampleRun => ({
  head: {
    format: 'skills-eval/run@1',
    id: '20260102-030405-abcd',
    started_at: '2026-01-02T03:04:05.678Z',
    duration_ms: 1234,
    tool: { name: 'skills-eval', version: '1.0.0' },
    command: ['skills-eval', 'run', 'evals'],
    git: { commit: '0123456789abcdef', dirty: false },
    seed: 1,
    ...head,
    summary: sampleSummary(
      suites.flatMap((suite) => suite.cases),
      summary,
    ),
    suites: suites.map((suite) => suite.head),
  },
  suites,
})

const topMonths: Partial<TrialResult> = {
  skills_selected: ['csv-analyzer'],
  actions: [
    {
      turn: 1,
      action: 'select_skills',
      params: { skills: [{ name: 'csv-analyzer' }] },
      status: 'ok',
      observation: '<skill name="csv-analyzer">…',
      duration_ms: 2,
    },
    {
      turn: 2,
      action: 'run_script',
      params: { skill: { name: 'csv-analyzer' }, path: 'scripts/top.py', args: ['--months', '3'] },
      status: 'ok',
      observation: 'Mar 1200\nApr 900',
      exit_code: 0,
      duration_ms: 38,
    },
    {
      turn: 3,
      action: 'write_file',
      params: { path: 'out.json', content: '…' },
      status: 'denied',
      rule: 'default deny',
      observation: 'denied: no rule allows write_file',
      duration_ms: 0,
    },
    {
      turn: 4,
      action: 'final_answer',
      params: { json: { months: ['Mar', 'Apr'] } },
      status: 'ok',
      observation: '',
      duration_ms: 0,
    },
  ],
}

/** Every status, several models, a diff, a flaky case, thresholds, trigger metrics, and hostile text everywhere. */
export const sampleRun = (): SampleRun => {
  const csv = sampleSuite(
    'csv',
    [
      sampleCase({ id: 'greets', tags: ['smoke', 'fast'], line: 4 }),
      sampleCase({
        id: 'top-months',
        line: 12,
        status: 'failed',
        reason: 'the JSON of the answer differs',
        pass_rate: 0,
        trials: [
          sampleTrial({
            ...topMonths,
            status: 'failed',
            reason: 'the JSON of the answer differs',
            score: 0.5,
            checks: [
              { name: 'mentions March', kind: 'contains', passed: true, score: 1, weight: 1 },
              {
                name: 'months',
                kind: 'json_equals',
                passed: false,
                score: 0,
                weight: 1,
                message: 'the JSON of the answer differs',
                expected: { months: ['Mar', 'May'], sums: [1200, 900], unit: 'USD', year: 2025 },
                actual: { months: ['Mar', 'Apr'], sums: [1200, 900], unit: 'USD', year: 2025 },
              },
              {
                name: 'contains',
                kind: 'contains',
                passed: false,
                score: 0,
                weight: 1,
                message: 'does not contain "total"',
                expected: 'total',
                actual: 'Mar and "Apr"',
              },
            ],
          }),
        ],
      }),
      sampleCase({
        id: 'sometimes',
        model: 'gpt-5',
        status: 'failed',
        reason: '1 of 2 trials passed, 1 must; the first failure: csv-analyzer was not selected',
        pass_rate: 0.5,
        flaky: true,
        trials: [
          sampleTrial(),
          sampleTrial({
            n: 2,
            status: 'failed',
            reason: 'csv-analyzer was not selected',
            score: 0,
            usage: { input_tokens: null, output_tokens: 5, cached_input_tokens: null, reasoning_tokens: null },
            cost_usd: null,
            checks: [
              {
                name: 'skills',
                kind: 'skills',
                passed: false,
                score: 0,
                weight: 1,
                message: 'csv-analyzer was not selected',
                expected: ['csv-analyzer'],
                actual: ['report-writer'],
              },
            ],
          }),
        ],
      }),
    ],
    {
      summary: {
        thresholds: [
          { name: 'pass_rate', limit: 0.9, actual: 1 / 3, passed: false },
          { name: 'cost_usd', limit: 0.5, actual: 0.012, passed: true },
        ],
      },
    },
  )
  const states = sampleSuite('states', [
    sampleCase({
      id: 'broken',
      line: 3,
      status: 'error',
      reason: 'the mock has no turn 2',
      pass_rate: null,
      interval: null,
      trials: [
        sampleTrial({
          status: 'error',
          error: { code: 'mock_exhausted', message: 'the mock has no turn 2' },
          score: null,
          output: null,
        }),
      ],
    }),
    sampleCase({
      id: 'old-tape',
      status: 'stale',
      reason: 'description of csv-analyzer: "a" → "b"',
      pass_rate: null,
      trials: [sampleTrial({ status: 'stale', reason: 'description of csv-analyzer: "a" → "b"', score: null })],
    }),
    sampleCase({ id: 'later', status: 'skipped', reason: 'needs a network', pass_rate: null, interval: null }),
    sampleCase({
      id: 'known-bug',
      reason: 'failed as expected: upstream bug',
      trials: [sampleTrial({ status: 'failed' })],
    }),
    sampleCase({ id: 'fixed-bug', status: 'failed', reason: 'expected to fail (upstream bug), but passed' }),
  ])
  return runOf([csv, states, hostileSuite()], {
    summary: {
      trigger: {
        precision: 0.5,
        recall: 0.5,
        f1: 0.5,
        specificity: null,
        tp: 1,
        fp: 1,
        fn: 1,
        tn: 0,
        macro: noRates,
        skills: {
          'csv-analyzer': { tp: 1, fp: 0, fn: 1, tn: 0, precision: 1, recall: 0.5, f1: 2 / 3, specificity: null },
          'report-writer': { tp: 0, fp: 1, fn: 0, tn: 2, precision: 0, recall: null, f1: 0, specificity: 2 / 3 },
        },
        confusion: [
          { expected: 'csv-analyzer', selected: 'csv-analyzer', count: 1 },
          { expected: 'csv-analyzer', selected: 'report-writer', count: 1 },
        ],
      },
    },
  })
}

export const hostileSuite = (text = HOSTILE): SampleSuite =>
  sampleSuite(
    text,
    [
      sampleCase({
        id: text,
        description: text,
        tags: [text],
        model: text,
        line: 7,
        status: 'failed',
        reason: text,
        trials: [
          sampleTrial({
            status: 'failed',
            reason: `trial: ${text}`,
            output: text,
            skills_selected: [text],
            actions: [
              {
                turn: 1,
                action: text,
                params: { [text]: text },
                status: 'denied',
                rule: text,
                observation: text,
                duration_ms: 1,
              },
              {
                turn: 2,
                action: 'call_tool',
                params: { tool: text, input: [text] },
                status: 'ok',
                observation: text,
                duration_ms: 1,
              },
            ],
            checks: [
              { name: text, kind: text, passed: false, score: 0, weight: 1, message: text },
              {
                name: 'b',
                kind: 'equals',
                passed: false,
                score: 0,
                weight: 1,
                expected: text,
                actual: `${text}\n${text}`,
              },
              {
                name: 'c',
                kind: 'contains',
                passed: false,
                score: 0,
                weight: 1,
                expected: text,
                actual: { [text]: text },
              },
            ],
          }),
        ],
      }),
      sampleCase({
        id: `e${text}`,
        status: 'error',
        trials: [sampleTrial({ status: 'error', error: { code: 'internal', message: text } })],
      }),
      sampleCase({ id: `k${text}`, status: 'skipped', reason: text }),
    ],
    { path: `evals/${text}.eval.yaml`, summary: { thresholds: [{ name: text, limit: 1, actual: 0, passed: false }] } },
  )
