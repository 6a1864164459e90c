// Makes the pictures of the HTML report in docs/images, of a made-up run, with the Chromium that is installed.
// usage: npm run build && node scripts/screenshots.mjs
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'

const root = resolve(import.meta.dirname, '..')
const images = join(root, 'docs/images')
const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)
if (executablePath === undefined) throw new Error('there is no Chromium')

const triggers = (skill, queries, selected) =>
  queries
    .map(
      (query, i) =>
        `  - {id: ${skill}-${i + 1}, tags: [trigger], input: "${query}", mock: [{select_skills: ${selected[i] ?? skill}}, {final_answer: done}], expected: {skills: [${skill}]}}\n`,
    )
    .join('')

const suite = `name: sales
skills: [../skills]
thresholds: { pass_rate: 0.9, trigger: { recall: 0.95 } }
cases:
  - id: top-months
    tags: [csv]
    description: The months with the most revenue, as JSON.
    input: Which two months of sales.csv had the most revenue? Answer as JSON.
    files: { sales.csv: { text: "month,revenue\\nJan,500\\nFeb,900\\nMar,700\\nApr,100\\n" } }
    mock:
      - update_plan: { steps: [{ id: read, title: Read the table }, { id: sort, title: Sort by revenue }] }
      - select_skills: csv-analyzer
      - read_file: sales.csv
      - update_plan: { patch: true, steps: [{ id: read, status: completed }, { id: sort, status: completed }] }
      - write_file: { path: ../notes.md, content: "Feb, Apr" }
      - final_answer: { json: { months: [Feb, Apr], currency: USD, source: sales.csv, rows: 4 } }
    expected:
      skills: [csv-analyzer]
      actions: { in_order: [select_skills, read_file] }
      output: [{ json_equals: { months: [Feb, Mar], currency: USD, source: sales.csv, rows: 4 } }]
  - id: no-more-turns
    tags: [csv]
    input: Sum the revenue.
    mock: [{ select_skills: csv-analyzer }]
${triggers('csv-analyzer', ['What is in this CSV?', 'Total per region, please', 'Find outliers in data.csv', 'Which columns are there?'], [])}${triggers(
  'log-triage',
  ['Why did the server crash?', 'Sort these errors', 'Group the warnings in app.log'],
  ['', '', 'csv-analyzer'].map((name) => name || undefined),
)}${triggers('changelog-writer', ['Write release notes', 'What changed since v1?'], [])}`

// What a rubric's judge says of an answer with the skill, and of one without.
const judged = `name: answers
skills: [../skills]
judge: mock
cases:
  - id: best-months
    tags: [csv]
    description: Two months, and a reason that can be checked.
    input: Which two months of sales.csv were best, and why?
    mock:
      rules:
        - when: { skill_loaded: csv-analyzer }
          do: [{ final_answer: "Feb and Mar were best, with 900 and 700.\\nTwo large orders of the north region came in then: rows 14 and 19." }]
        - when: { skill_available: csv-analyzer }
          do: [{ select_skills: csv-analyzer }]
      otherwise: [{ final_answer: "Feb and Mar look best: spring is a good time for sales." }]
    mock_judge:
      - { criterion: names, verdict: pass, reason: both are named, quote: Feb and Mar }
      - { criterion: checked, material: rows, verdict: fail, reason: whose orders is left open, times: 1 }
      - { criterion: checked, material: rows, verdict: pass, reason: names the rows, quote: rows 14 and 19 }
      - { criterion: checked, verdict: fail, reason: a guess about spring }
    expected:
      skills: [csv-analyzer]
      output: [{ rubric: [names two months, gives a reason that can be checked], judges: 3 }]
`

const cwd = mkdtempSync(join(tmpdir(), 'skills-eval-pictures-'))
try {
  cpSync(join(root, 'skills'), join(cwd, 'skills'), { recursive: true })
  mkdirSync(join(cwd, 'evals'))
  writeFileSync(join(cwd, 'evals/sales.eval.yaml'), suite)
  const run = (status, ...args) => {
    const ended = spawnSync(process.execPath, [join(root, 'dist/skills-eval.cjs'), 'run', ...args, '--quiet'], {
      cwd,
      encoding: 'utf8',
    })
    if (ended.status !== status) throw new Error(ended.stderr)
  }
  run(1, 'evals/')
  mkdirSync(images, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  const picture = async (name, hash, height, colorScheme) => {
    const page = await browser.newPage({ viewport: { width: 1100, height }, colorScheme })
    await page.goto(`file://${join(cwd, 'reports/latest/report.html')}${hash}`)
    await page.locator('main h1').waitFor()
    await page.getByText('Reading the case').waitFor({ state: 'detached' })
    await page.screenshot({ path: join(images, name) })
    await page.close()
  }
  await picture('report-overview.png', '', 1000, 'light')
  await picture('report-case.png', '#/case/sales/top-months/mock', 1000, 'dark')
  writeFileSync(join(cwd, 'evals/answers.eval.yaml'), judged)
  run(0, 'evals/answers.eval.yaml', '--baseline', 'without_skills')
  await picture('report-arms.png', '#/case/answers/best-months/mock', 1000, 'light')
  await browser.close()
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
