// The figures of the documentation. usage: npm run build && node bench/run.mjs [start|cases|replay|trials|wait|skills|scripts|html|size] …
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  eachSuite,
  empty,
  manySkills,
  plainSuite,
  put,
  replayProject,
  rows,
  scriptsProject,
  skills,
  waitingProject,
  wordyProject,
} from './make.mjs'
import { measure, median, repeat } from './measure.mjs'

const root = resolve(new URL('..', import.meta.url).pathname)
const cli = join(root, 'dist/skills-eval.cjs')
const work = join(root, 'bench/.work')
const wanted = process.argv.slice(2)
const isWanted = (name) => wanted.length === 0 || wanted.includes(name)
const table = []
const row = (name, value, goal) => {
  table.push({ name, value, goal })
  console.log(`${name.padEnd(58)} ${String(value).padStart(22)}   ${goal}`)
}
const s = (value) => `${value.toFixed(3)} s`
const mib = (value) => `${value.toFixed(0)} MiB`

if (isWanted('start')) {
  const cwd = empty(join(work, 'start'))
  // Paired, so that what else the machine does falls on both.
  const pairs = Array.from({ length: 21 }, () => ({
    node: measure(['-e', '0'], { cwd }).cpu,
    version: measure([cli, '--version'], { cwd }).cpu,
    help: measure([cli, '--help'], { cwd }).cpu,
  }))
  row('node -e 0, CPU', s(median(pairs.map((p) => p.node))), '')
  row('--version / node -e 0', `${median(pairs.map((p) => p.version / p.node)).toFixed(2)} ×`, '≤ 1.3 ×')
  row('--help / node -e 0', `${median(pairs.map((p) => p.help / p.node)).toFixed(2)} ×`, '≤ 1.7 ×')
}

const runArgs = ['run', 'evals', '--quiet', '--json', '--reporter', 'junit=junit.xml']
const run = (cwd) => {
  const result = measure([cli, ...runArgs], { cwd })
  rmSync(join(cwd, 'reports'), { recursive: true, force: true })
  return result
}

if (isWanted('cases')) {
  const plain = empty(join(work, 'plain'))
  put(plain, { ...skills, 'evals/plain.eval.yaml': plainSuite(1000) })
  const first = repeat(5, () => {
    rmSync(join(plain, '.home'), { recursive: true, force: true })
    return run(plain)
  })
  row('1,000 mock cases, first time, CPU', s(first.cpu), '≤ 1.8 s')
  const cached = repeat(5, () => run(plain))
  row('1,000 mock cases, parsed suite cached, CPU', s(cached.cpu), '≤ 1.0 s')
  row('1,000 mock cases, peak memory', mib(cached.mib), '≤ 130 MiB')

  const each = empty(join(work, 'each'))
  put(each, { ...skills, 'evals/rows.eval.yaml': eachSuite, 'evals/rows.jsonl': rows(10_000) })
  const ten = repeat(3, () => run(each))
  row('10,000 cases through each, CPU', s(ten.cpu), '≤ 4 s')
  row('10,000 cases through each, peak memory', mib(ten.mib), '≤ 200 MiB')
  put(each, { 'evals/rows.jsonl': rows(100_000) })
  // A run.json of 100,000 cases is not for a pipe: it stays in the run's folder.
  const hundred = measure([cli, 'run', 'evals', '--quiet', '--reporter', 'junit=junit.xml'], { cwd: each })
  rmSync(join(each, 'reports'), { recursive: true, force: true })
  row('100,000 cases through each, CPU', s(hundred.cpu), `linear: ≤ ${(ten.cpu * 10).toFixed(0)} s`)
  row('100,000 cases through each, peak memory', mib(hundred.mib), '≤ 250 MiB')
}

if (isWanted('replay')) {
  for (const [count, times, goals] of [
    [1000, 5, ['≤ 1.2 s', '']],
    [10_000, 3, ['≤ 6 s', '≤ 220 MiB']],
  ]) {
    const cwd = await recorded(count)
    const replayed = repeat(times, () => run(cwd))
    row(`${count.toLocaleString('en')} replayed cases, CPU`, s(replayed.cpu), goals[0])
    row(`${count.toLocaleString('en')} replayed cases, peak memory`, mib(replayed.mib), goals[1])
    rmSync(join(cwd, 'recordings'), { recursive: true, force: true })
  }
}

if (isWanted('trials')) {
  const cwd = empty(join(work, 'trials'))
  const suite = (trials) => `${eachSuite}    trials: ${trials}\n`
  // The same number of trials in many cases and in few: what a comparison holds grows with its cases alone.
  for (const [cases, trials] of [
    [10_000, 10],
    [1_000, 100],
    [10_000, 1],
  ]) {
    put(cwd, {
      ...skills,
      '.agent/config.json': '{}',
      'evals/rows.eval.yaml': suite(trials),
      'evals/rows.jsonl': rows(cases),
    })
    const what = `${cases.toLocaleString('en')} cases × ${trials} trials`
    const [first] = [1, 2].map(() => measure([cli, 'run', 'evals', '--quiet'], { cwd }))
    row(`${what}, CPU`, s(first.cpu), '')
    row(`${what}, peak memory`, mib(first.mib), '≤ 250 MiB')
    const [base, head] = readdirSync(join(cwd, 'reports')).filter((name) => /^\d/.test(name))
    const compared = measure([cli, 'compare', base, head, '--quiet'], { cwd })
    row(`${what}, two runs compared, CPU`, s(compared.cpu), '')
    row(`${what}, two runs compared, peak memory`, mib(compared.mib), '≤ 250 MiB')
    rmSync(join(cwd, 'reports'), { recursive: true, force: true })
  }
}

if (isWanted('wait')) {
  const cwd = empty(join(work, 'wait'))
  put(cwd, { ...skills, ...waitingProject })
  const waited = repeat(5, () => measure([cli, 'run', 'evals', '--quiet', '--concurrency', '20'], { cwd }))
  row('200 cases of 100 ms at concurrency 20, wall', s(waited.wall), '≤ 1.25 s')
}

if (isWanted('skills')) {
  const cwd = empty(join(work, 'skills'))
  put(cwd, manySkills(10_000))
  const listed = repeat(5, () => measure([cli, 'skills', 'list', '--json'], { cwd }))
  row('10,000 skills indexed and listed, CPU', s(listed.cpu), '≤ 1.3 s')
}

if (isWanted('scripts')) {
  const timed = (config) => {
    const cwd = empty(join(work, 'scripts'))
    put(cwd, { ...scriptsProject(100), '.agent/config.json': JSON.stringify(config) })
    return repeat(5, () => measure([cli, 'run', 'evals', '--quiet', '--concurrency', '1'], { cwd })).wall
  }
  const [off, auto] = [timed({ sandbox: 'off' }), timed({})]
  row('100 script runs, one at a time, sandbox: off, wall', s(off), '')
  row('100 script runs, one at a time, sandbox: auto, wall', s(auto), '')
  row('isolation, each script', `${((auto - off) * 10).toFixed(1)} ms`, '≤ 10 ms')
}

if (isWanted('html')) {
  const browserProgram = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)
  const cwd = empty(join(work, 'html'))
  put(cwd, wordyProject(10_000))
  measure([cli, 'run', 'evals', '--quiet'], { cwd, expect: 1 })
  const report = join(cwd, 'reports/latest/report.html')
  row('report.html of 10,000 cases', `${(statSync(report).size / 1e6).toFixed(1)} MB`, '≤ 15 MB')
  if (browserProgram === undefined) console.log('report.html is not opened: there is no Chromium')
  else {
    const figures = await opened(report, browserProgram)
    row('the same, first paint', `${figures.paint.toFixed(0)} ms`, '≤ 1,500 ms')
    row('the same, all cases listed', `${figures.listed.toFixed(0)} ms`, '')
    row('the same, a letter in the filter to the next frame', `${figures.filter.toFixed(0)} ms`, '≤ 100 ms')
    row('the same, another case opened', `${figures.open.toFixed(0)} ms`, '')
  }
  rmSync(join(cwd, 'reports'), { recursive: true, force: true })
}

if (isWanted('size')) {
  const cwd = mkdtempSync(join(tmpdir(), 'skills-eval-size-'))
  const tarball = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', cwd], {
    cwd: root,
    encoding: 'utf8',
  })
  writeFileSync(join(cwd, 'package.json'), '{"private":true}')
  spawnSync('npm', ['install', '--silent', '--no-audit', '--no-fund', join(cwd, tarball.trim().split('\n').at(-1))], {
    cwd,
  })
  row('installed size', `${(sizeOf(join(cwd, 'node_modules')) / 1e6).toFixed(1)} MB`, '≤ 12 MB')
  row(
    'installed packages',
    readdirSync(join(cwd, 'node_modules')).filter((name) => !name.startsWith('.')).length,
    '≤ 10',
  )
  rmSync(cwd, { recursive: true, force: true })
}

mkdirSync(work, { recursive: true })
writeFileSync(join(work, 'figures.json'), `${JSON.stringify(table, null, 2)}\n`)

/** What a report needs in a browser, in milliseconds; medians of five times it was opened, the worst letter of each. */
async function opened(report, executablePath) {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  const toNextFrame = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))'
  const figures = []
  for (let i = 0; i < 5; i++) {
    const page = await browser.newPage()
    await page.goto(`file://${report}#/cases`)
    await page.locator('tbody a').first().waitFor()
    const [paint, listed] = await page.evaluate(
      "[performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()]",
    )
    const letters = []
    for (const text of ['c', 'ca', 'cas', 'case', 'case-', 'case-9', 'case-99', '']) {
      letters.push(
        await page.evaluate(`(async () => {
          const field = document.querySelector('input[type=search]')
          const from = performance.now()
          field.value = ${JSON.stringify(text)}
          field.dispatchEvent(new Event('input', { bubbles: true }))
          await ${toNextFrame}
          return performance.now() - from
        })()`),
      )
    }
    const open = await page.evaluate(`(async () => {
      const from = performance.now()
      location.hash = '#/case/wordy/case-7777/mock'
      while (!document.querySelector('.timeline')) await ${toNextFrame}
      return performance.now() - from
    })()`)
    figures.push({ paint, listed, filter: Math.max(...letters), open })
    await page.close()
  }
  await browser.close()
  const of = (key) => median(figures.map((one) => one[key]))
  return { paint: of('paint'), listed: of('listed'), filter: of('filter'), open: of('open') }
}

/** A project whose cases were recorded through HTTP. */
async function recorded(count) {
  const cwd = empty(join(work, 'replay'))
  const portFile = join(cwd, 'port')
  const server = spawn(process.execPath, [join(root, 'bench/answering-server.mjs'), portFile], { stdio: 'inherit' })
  try {
    while (!existsSync(portFile)) await new Promise((done) => setTimeout(done, 20))
    put(cwd, replayProject(count, readFileSync(portFile, 'utf8')))
    measure([cli, 'record', 'evals', '--quiet', '--concurrency', '8'], { cwd, env: { OPENAI_API_KEY: 'none' } })
    rmSync(join(cwd, 'reports'), { recursive: true, force: true })
  } finally {
    server.kill()
  }
  return cwd
}

function sizeOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return 0
  return stats.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : stats.size
}
