import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project, root, skill } from './support/cli.ts'

// At every moment: SKILLS_EVAL_KILLS=1000 npx vitest run --project program test/packs-kill.test.ts
const kills = Number(process.env.SKILLS_EVAL_KILLS ?? 6)
const hook = { NODE_OPTIONS: `--require ${join(root, 'test/support/kill-at-write.cjs')}` }

const version = (n: number) => ({
  [`v${n}/one/SKILL.md`]: skill('one', `Version ${n}. Use it.`),
  [`v${n}/one/data/numbers.txt`]: `${n}\n`.repeat(1000 * n),
  [`v${n}/two/SKILL.md`]: skill('two', `Version ${n}. Use it.`),
  [`v${n}/two/only-in-${n}.md`]: 'x\n',
})

/** Passes where both skills are there. */
const suite = `name: t
model: mock
cases:
  - id: both
    input: use both
    mock:
      - select_skills: [one, two]
      - final_answer: done
    expected: { skills: [one, two] }
`

/** The contents of a folder, as one text; '' where it is not there. */
const contents = (dir: string): string =>
  existsSync(dir)
    ? readdirSync(dir, { recursive: true, encoding: 'utf8' })
        .sort()
        .map((path) => `${path}: ${statSync(join(dir, path)).isFile() ? readFileSync(join(dir, path), 'utf8') : ''}`)
        .join('\n')
    : ''

/** Some of the numbers from 1 to `last`, evenly; the last ones, where folders move, all of them. */
const chosen = (last: number): readonly number[] => {
  const all = Array.from({ length: last }, (_, i) => i + 1)
  return all.filter((n) => kills >= last || n % Math.ceil(last / kills) === 0 || n > last - 14)
}

const places = ['one', 'two'] as const

test('an install that is killed leaves old or new versions, and the next command makes all whole', {
  timeout: 3_600_000,
}, () => {
  using p = project({ ...version(1), ...version(2) })
  for (const n of [1, 2])
    expect(p.cli(['skills', 'pack', `v${n}`, '--name', 'both', '--version', `${n}.0.0`]).code).toBe(0)
  const skills = join(p.dir, '.agent/skills')
  const install = (n: number, env = {}) => p.cli(['skills', 'install', `both-${n}.0.0.zip`], env)
  const now = () => places.map((name) => contents(join(skills, name)))
  install(1)
  const old = now()
  const counted = install(2, hook)
  const fresh = now()
  const writes = Number(/WRITES (\d+)/.exec(counted.err)?.[1])
  expect(writes).toBeGreaterThan(20)
  expect(old).not.toEqual(fresh)
  const ends = new Set<string>()
  for (const n of chosen(writes)) {
    // Before the next change or after this one is the same moment, but for the last.
    for (const after of kills > 100 ? ['0', '1'] : ['0']) {
      install(1)
      expect(now()).toEqual(old)
      const killed = install(2, { ...hook, KILL_AT: String(n), KILL_AFTER: after })
      // How often the end of it writes may differ by one.
      if (killed.code === 0 && n > writes - 3) continue
      expect(killed.code, `kill ${n} came too late`).toBeNull()
      for (const [i, found] of now().entries())
        expect([old[i], fresh[i], ''], `skill ${i} after kill ${n}`).toContain(found)
      const listed = p.cli(['skills', 'list', '--source', 'project', '--json'])
      expect(listed.code, listed.err).toBe(0)
      const whole = now()
      expect([JSON.stringify(old), JSON.stringify(fresh)], `after kill ${n}`).toContain(JSON.stringify(whole))
      ends.add(whole[0] === old[0] ? 'old' : 'new')
      expect(p.cli(['skills', 'verify', '--accept-unsigned']).code).toBe(0)
      expect(readdirSync(join(p.dir, '.agent')).sort()).toEqual(['skills'])
      expect(readdirSync(skills).sort()).toEqual(['one', 'skills.lock.json', 'two'])
    }
  }
  expect([...ends].sort()).toEqual(['new', 'old'])
})

test('an install that is killed leaves the proof of what is installed', { timeout: 3_600_000 }, () => {
  using p = project({ 'evals/t.eval.yaml': suite.replace('model: mock', 'model: mock\nskills: [../src]') })
  for (const n of [1, 2]) {
    p.write(Object.fromEntries(['one', 'two'].map((name) => [`src/${name}/SKILL.md`, skill(name, `V ${n}. Use it.`)])))
    const packed = p.cli(['skills', 'pack', 'src', '--name', 'both', '--version', `${n}.0.0`, '--proof'])
    expect(packed.code, packed.err).toBe(0)
  }
  const install = (n: number, env = {}) => p.cli(['skills', 'install', `both-${n}.0.0.zip`], env)
  const kept = () => readdirSync(join(p.dir, '.home/.agent/proofs'), { recursive: true, encoding: 'utf8' })
  install(1)
  const writes = Number(/WRITES (\d+)/.exec(install(2, hook).err)?.[1])
  const ends = new Set<string>()
  for (const n of chosen(writes).filter((one) => kills >= writes || one % 3 === 0)) {
    install(1)
    const killed = install(2, { ...hook, KILL_AT: String(n) })
    if (killed.code === 0 && n > writes - 3) continue
    expect(killed.code, `kill ${n} came too late`).toBeNull()
    const verified = p.cli(['skills', 'verify', '--accept-unsigned'])
    expect(verified.code, `after kill ${n}: ${verified.out}`).toBe(0)
    const proved = p.cli(['skills', 'prove', 'one'])
    expect(proved.code, `after kill ${n}: ${proved.out}${proved.err}`).toBe(0)
    ends.add(/V \d/.exec(readFileSync(join(p.dir, '.agent/skills/one/SKILL.md'), 'utf8'))?.[0] ?? '')
  }
  expect([...ends].sort()).toEqual(['V 1', 'V 2'])
  install(2)
  // What a killed process left is swept.
  expect(kept().filter((path) => path.endsWith('proof.json'))).toHaveLength(1)
})

test('an update that is killed leaves old or new, and a run sees all skills at once', { timeout: 3_600_000 }, () => {
  using p = project({ ...version(1), ...version(2), 'hub/hub.yaml': 'name: acme\n', 'evals/t.eval.yaml': suite })
  const pack = (n: number) =>
    expect(
      p.cli(['skills', 'pack', `v${n}`, '--name', 'both', '--version', `1.${n}.0`, '-o', `hub/${n}.zip`]).code,
    ).toBe(0)
  const build = () => expect(p.cli(['skills', 'hub', 'build', 'hub']).code).toBe(0)
  const skills = join(p.dir, '.agent/skills')
  const index = join(p.dir, 'hub/index.json')
  const now = () => places.map((name) => contents(join(skills, name)))
  const update = (env = {}) => p.cli(['skills', 'update'], env)
  pack(1)
  build()
  const older = readFileSync(index)
  pack(2)
  build()
  const newer = readFileSync(index)
  expect(p.cli(['skills', 'hub', 'add', 'hub']).code).toBe(0)
  const installOld = () => {
    rmSync(skills, { recursive: true, force: true })
    writeFileSync(index, older)
    expect(p.cli(['skills', 'install', 'both@^1.0']).code).toBe(0)
    writeFileSync(index, newer)
  }
  installOld()
  const old = now()
  const counted = update(hook)
  expect(counted.code, counted.err).toBe(0)
  const fresh = now()
  expect(fresh).not.toEqual(old)
  const writes = Number(/WRITES (\d+)/.exec(counted.err)?.[1])
  const ends = new Set<string>()
  for (const n of chosen(writes)) {
    installOld()
    const killed = update({ ...hook, KILL_AT: String(n) })
    if (killed.code === 0 && n > writes - 3) continue
    expect(killed.code, `kill ${n} came too late`).toBeNull()
    const ran = p.cli(['run'])
    expect(ran.code, `after kill ${n}: ${ran.out}${ran.err}`).toBe(0)
    const whole = now()
    expect([JSON.stringify(old), JSON.stringify(fresh)], `after kill ${n}`).toContain(JSON.stringify(whole))
    ends.add(whole[0] === old[0] ? 'old' : 'new')
    expect(p.cli(['skills', 'verify', '--accept-unsigned']).code).toBe(0)
  }
  expect([...ends].sort()).toEqual(['new', 'old'])
})

test('an uninstall that is killed takes the skill away or leaves it', { timeout: 3_600_000 }, () => {
  using p = project(version(1))
  expect(p.cli(['skills', 'pack', 'v1', '--name', 'both', '--version', '1.0.0']).code).toBe(0)
  const skills = join(p.dir, '.agent/skills')
  const uninstall = (env = {}) => p.cli(['skills', 'uninstall', 'one'], env)
  p.cli(['skills', 'install', 'both-1.0.0.zip'])
  const old = contents(join(skills, 'one'))
  const writes = Number(/WRITES (\d+)/.exec(uninstall(hook).err)?.[1])
  for (const n of chosen(writes)) {
    expect(p.cli(['skills', 'install', 'both-1.0.0.zip']).code).toBe(0)
    const { code } = uninstall({ ...hook, KILL_AT: String(n) })
    expect(code === null || n > writes - 3).toBe(true)
    expect([old, '']).toContain(contents(join(skills, 'one')))
    const verified = p.cli(['skills', 'verify', '--accept-unsigned'])
    expect(verified.code, verified.out).toBe(0)
    expect([old, '']).toContain(contents(join(skills, 'one')))
    expect(verified.out.includes('one 1.0.0')).toBe(existsSync(join(skills, 'one')))
    expect(readdirSync(join(p.dir, '.agent'))).toEqual(['skills'])
  }
})

test('of installs into one root at once each has its turn or is told', async () => {
  using p = project({ ...version(1), ...version(2) })
  for (const n of [1, 2]) p.cli(['skills', 'pack', `v${n}`, '--name', 'both', '--version', `${n}.0.0`])
  const started = [1, 2, 1, 2].map((n) => p.start(['skills', 'install', `both-${n}.0.0.zip`]))
  const codes = await Promise.all(started.map(({ ended }) => ended))
  expect(codes).toContain(0)
  for (const [i, code] of codes.entries()) {
    expect([0, 2]).toContain(code)
    if (code === 2) expect(started[i]?.said.err).toMatch(/another process changes the skills/)
  }
  expect(p.cli(['skills', 'verify', '--accept-unsigned']).code).toBe(0)
  expect(readdirSync(join(p.dir, '.agent'))).toEqual(['skills'])
})
