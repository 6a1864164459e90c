import { existsSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project, skill } from './support/cli.ts'

type Told = {
  readonly actions: readonly { readonly action: string; readonly status: string; readonly observation: string }[]
}

const bait = 'BAIT-5b1c'

/** A working folder beside what must not be touched; everything is allowed that a policy can allow. */
const world = () => {
  const p = project({
    'outside/bait.txt': bait,
    'outside/SKILL.md': bait,
    'outside/bait.sh': `#!/bin/sh\necho ${bait}; echo ran > ran.txt\n`,
    'work/.agent/config.json': JSON.stringify({
      permissions: { allow: ['run_script', 'read_file', 'grep', 'list_dir'] },
    }),
    'work/.agent/skills/one/SKILL.md': skill('one', 'Does one thing. Use it for one.'),
    'work/.agent/skills/one/note.md': 'The note of one.\n',
    'work/.agent/skills/one/scripts/say.sh': '#!/bin/sh\necho said\n',
    'work/.agent/skills/one/evals/secret.md': bait,
    'work/.agent/skills/one/evals/secret.sh': `#!/bin/sh\necho ${bait}\n`,
    'work/.git/config': '[core]\n',
    'work/in.txt': 'inside\n',
  })
  const work = join(p.dir, 'work')
  const plant = (at: string, to: string) => symlinkSync(to, join(work, at))
  plant('file', '../outside/bait.txt')
  plant('folder', '../outside')
  plant('chain', 'folder')
  plant('loop', 'loop')
  plant('gone', '../outside/nowhere.txt')
  plant('disk', '/')
  const inSkill = '.agent/skills/one'
  plant(`${inSkill}/file`, '../../../../outside/bait.txt')
  plant(`${inSkill}/folder`, '../../../../outside')
  plant(`${inSkill}/bait.sh`, '../../../../outside/bait.sh')
  plant(`${inSkill}/hidden.md`, 'evals/secret.md')
  plant(`${inSkill}/hidden.sh`, 'evals/secret.sh')
  plant(`${inSkill}/loop.md`, 'loop.md')
  const act = (actions: readonly object[]): Told['actions'] => {
    p.write({ 'mock.json': JSON.stringify([actions, { final_answer: 'done' }]) })
    const { out, err, code, json } = p.cli([
      'agent',
      'run',
      'x',
      '-C',
      'work',
      '--mock',
      '../mock.json',
      '--skill',
      'one',
      '--allow',
      'write_file',
      '--allow',
      'delete_file',
      '--json',
    ])
    if (json === undefined) throw new Error(`${code} ${out} ${err}`)
    return (json as Told).actions.filter(({ action }) => action !== 'final_answer')
  }
  const outside = () => [
    readdirSync(join(p.dir, 'outside')),
    readFileSync(join(p.dir, 'outside/bait.txt'), 'utf8'),
    readdirSync(p.dir).filter((name) => !['.home', 'mock.json'].includes(name)),
  ]
  return { ...p, work, act, outside }
}

const hostile = (dir: string): readonly string[] => [
  '../outside/bait.txt',
  'a/../../outside/bait.txt',
  '..',
  `${dir}/outside/bait.txt`,
  '~/bait.txt',
  '~',
  'file',
  'folder/bait.txt',
  'folder',
  'chain/bait.txt',
  'loop',
  'gone',
  `disk${dir}/outside/bait.txt`,
  'in.txt\0.md',
  '..\\outside\\bait.txt',
  '\\\\server\\share',
  '//server/share',
  'C:\\bait.txt',
  'C:/bait.txt',
  '%2e%2e/outside/bait.txt',
  '..%2foutside%2fbait.txt',
  '%2e%2e%2foutside%2fbait.txt',
  '\u2024\u2024/outside/bait.txt',
  '\uff0e\uff0e/outside/bait.txt',
  '..\u2215outside\u2215bait.txt',
  '..\uff0foutside\uff0fbait.txt',
  '.. /outside/bait.txt',
  'a\nb',
  `${'n'.repeat(300)}`,
  `${'n/'.repeat(600)}x`,
]

/** Names of no harm: no disk and no tool of ours decodes them. */
const isPlain = (path: string): boolean => /%2|[\u2024\u2215\uff0e\uff0f]/.test(path)

describe('no path of an action leads outside', () => {
  const tools: readonly (readonly [string, (path: string) => object])[] = [
    ['read_file', (path) => ({ read_file: { path } })],
    ['list_dir', (path) => ({ list_dir: { path } })],
    ['grep', (path) => ({ grep: { pattern: 'BAIT', path } })],
    ['write_file', (path) => ({ write_file: { path, content: 'overwritten' } })],
    ['delete_file', (path) => ({ delete_file: { path } })],
    ['load_resource', (path) => ({ load_resource: { skill: 'one', path } })],
    ['run_script', (path) => ({ run_script: { skill: 'one', path } })],
  ]

  test.each(tools)('%s', { timeout: 60_000 }, (tool, make) => {
    using w = world()
    const before = w.outside()
    const paths = hostile(w.dir)
    const told = w.act(paths.map(make))
    expect(told.length).toBe(paths.length)
    const wrong = paths.flatMap((path, i) => {
      const { status, observation } = told[i] ?? { status: 'missing', observation: '' }
      // A plain name may be made, and a link may be deleted itself.
      const isAllowed =
        (tool === 'write_file' && isPlain(path)) ||
        (tool === 'delete_file' && ['file', 'folder', 'loop', 'gone', 'chain'].includes(path))
      const isRefused = ['error', 'denied', 'invalid'].includes(status) && observation.length > 10
      const isLeak = observation.includes(bait) || /root:x|\n\s+at /.test(observation)
      return (isRefused || isAllowed) && !isLeak ? [] : [[path, status, observation]]
    })
    expect(wrong).toEqual([])
    expect(w.outside()).toEqual(before)
    expect(existsSync(join(w.work, 'ran.txt'))).toBe(false)
  })

  test('of a skill: links to outside and to what it hides', () => {
    using w = world()
    const paths = [
      'file',
      'folder/bait.txt',
      'folder/SKILL.md',
      'hidden.md',
      'loop.md',
      'evals/secret.md',
      'EVALS/secret.md',
    ]
    const scripts = ['bait.sh', 'folder/bait.sh', 'hidden.sh', 'evals/secret.sh', '../../../../outside/bait.sh']
    const told = w.act([
      ...paths.map((path) => ({ load_resource: { skill: 'one', path } })),
      ...scripts.map((path) => ({ run_script: { skill: 'one', path } })),
      { load_resource: { skill: 'one', path: 'note.md' } },
      { run_script: { skill: 'one', path: 'scripts/say.sh' } },
    ])
    expect(told.map(({ status }) => status)).toEqual([...[...paths, ...scripts].map(() => 'error'), 'ok', 'ok'])
    expect(told.map(({ observation }) => observation).join('\n')).not.toContain(bait)
    expect(existsSync(join(w.work, 'ran.txt'))).toBe(false)
  })

  test('grep and list_dir of the whole folder enter no link', () => {
    using w = world()
    const told = w.act([{ grep: { pattern: 'BAIT' } }, { list_dir: { path: '.' } }])
    expect(told[0]?.observation).not.toContain('outside')
    // The skill's own evals are files of the folder that the person gave to work in.
    expect(told[0]?.observation.split('\n').every((line) => line.startsWith('.agent/skills/one/evals/'))).toBe(true)
    expect(told[1]?.observation).toContain('folder  (link or special file)')
  })
})

describe('an agent does not change the rules that it works by', () => {
  test.each(['write_file', 'delete_file'])('%s', (tool) => {
    using w = world()
    const paths = [
      '.agent/config.json',
      '.AGENT/config.json',
      '.agent/skills/one/SKILL.md',
      '.agent/skills/new/SKILL.md',
      '.agent/runs/x/run.json',
      '.git/config',
      '.git/hooks/pre-commit',
      '.claude/settings.json',
    ]
    const make = (path: string) =>
      tool === 'write_file' ? { write_file: { path, content: '{}' } } : { delete_file: { path } }
    const config = readFileSync(join(w.work, '.agent/config.json'), 'utf8')
    const told = w.act(paths.map(make))
    expect(told.map(({ status }) => status)).toEqual(paths.map(() => 'error'))
    for (const { observation } of told) expect(observation).toContain('may be read, not written or deleted by an agent')
    expect(readFileSync(join(w.work, '.agent/config.json'), 'utf8')).toBe(config)
    expect(readdirSync(w.work)).not.toContain('.claude')
    expect(readFileSync(join(w.work, '.git/config'), 'utf8')).toBe('[core]\n')
  })

  test('nor skills that lie elsewhere in its folder', () => {
    using w = world()
    const config = JSON.parse(readFileSync(join(w.work, '.agent/config.json'), 'utf8'))
    writeFileSync(join(w.work, '.agent/config.json'), JSON.stringify({ ...config, skills: { roots: ['pack'] } }))
    w.write({ 'work/pack/two/SKILL.md': skill('two', 'Does two. Use it for two.') })
    const told = w.act([
      { write_file: { path: 'pack/two/SKILL.md', content: 'x' } },
      { write_file: { path: 'pack/three/SKILL.md', content: 'x' } },
      { write_file: { path: 'packs.txt', content: 'x' } },
    ])
    expect(told.map(({ status }) => status)).toEqual(['error', 'error', 'ok'])
  })
})

test('a write breaks a hard link to a file outside', () => {
  using w = world()
  linkSync(join(w.dir, 'outside/bait.txt'), join(w.work, 'hard.txt'))
  const [told] = w.act([{ write_file: { path: 'hard.txt', content: 'written' } }])
  expect(told?.status).toBe('ok')
  expect(readFileSync(join(w.work, 'hard.txt'), 'utf8')).toBe('written')
  expect(readFileSync(join(w.dir, 'outside/bait.txt'), 'utf8')).toBe(bait)
})
