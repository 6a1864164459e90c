import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import type { Files } from '../core/ports.ts'
import type { SkillRoot, SkillSourceName } from '../core/skill.ts'
import { indexSkills } from './index-skills.ts'

const text = (name: string, description = `Does ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody\n`
const root = (path: string, source: SkillSourceName = 'project'): SkillRoot => ({ path, source })

type Entries = Parameters<typeof memoryFiles>[0]
const index = (entries: Entries, ...roots: SkillRoot[]) => {
  const { skills, shadowed, diagnostics } = indexSkills(roots, memoryFiles(entries))
  return {
    names: skills.map((skill) => `${skill.name}@${skill.source}`),
    dirs: skills.map(({ dir }) => dir),
    shadowed: shadowed.map(({ skill, by }) => `${skill.file} by ${by.file}`),
    found: diagnostics.map(({ severity, code, file }) => `${severity} ${code} ${file}`),
  }
}

describe('indexSkills', () => {
  test('finds skill folders, sorted by name', () => {
    expect(index({ '/r/b/SKILL.md': text('b'), '/r/a/SKILL.md': text('a'), '/r/README.md': 'x' }, root('/r'))).toEqual({
      names: ['a@project', 'b@project'],
      dirs: ['/r/a', '/r/b'],
      shadowed: [],
      found: [],
    })
  })

  test('takes a root that is a skill itself', () => {
    expect(index({ '/r/a/SKILL.md': text('a'), '/r/a/b/SKILL.md': text('b') }, root('/r/a')).names).toEqual([
      'a@project',
    ])
  })

  test('descends into groups, not into skills, version control and dependencies', () => {
    const entries = {
      '/r/group/a/SKILL.md': text('a'),
      '/r/group/a/evals/inner/SKILL.md': text('inner'),
      '/r/.git/b/SKILL.md': text('b'),
      '/r/node_modules/c/SKILL.md': text('c'),
    }
    expect(index(entries, root('/r'))).toMatchObject({ names: ['a@project'], found: [] })
  })

  test('says where it stopped: five levels down', () => {
    expect(
      index({ '/r/1/2/3/4/5/SKILL.md': text('5'), '/r/1/2/3/4/x/6/SKILL.md': text('6') }, root('/r')),
    ).toMatchObject({
      names: ['5@project'],
      found: ['warning skill/not-checked /r'],
    })
  })

  test('says where it stopped: 2,000 nested folders, while direct ones are not counted', () => {
    const nested = Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`/r/g/${i}/x.txt`, '']))
    const direct = Object.fromEntries(Array.from({ length: 2500 }, (_, i) => [`/r/s${i}/SKILL.md`, text(`s${i}`)]))
    const files = memoryFiles({ ...nested, ...direct })
    // The in-memory files search all entries for each folder: make the one that matters quick.
    const children = new Map<string, string[]>()
    for (const path of [...Object.keys(nested), ...Object.keys(direct)]) {
      const parts = path.split('/')
      for (let i = 2; i < parts.length; i += 1) {
        const dir = parts.slice(0, i).join('/')
        const names = children.get(dir) ?? []
        if (names.at(-1) !== parts[i]) names.push(parts[i] ?? '')
        children.set(dir, names)
      }
    }
    const list = (dir: string) =>
      [...new Set(children.get(dir))].sort().map((name) => ({
        name,
        kind: name.includes('.') ? ('file' as const) : ('dir' as const),
        isLink: false,
      }))
    const { skills, diagnostics } = indexSkills([root('/r')], { ...files, list, realPath: (path) => path })
    expect(skills).toHaveLength(2500)
    expect(diagnostics).toMatchObject([{ code: 'skill/not-checked', file: '/r' }])
  })

  test('the first root wins, and the shadowed skill is told', () => {
    const entries = { '/p/a/SKILL.md': text('a', 'first'), '/u/a/SKILL.md': text('a', 'second') }
    expect(index(entries, root('/p'), root('/u', 'user'))).toEqual({
      names: ['a@project'],
      dirs: ['/p/a'],
      shadowed: ['/u/a/SKILL.md by /p/a/SKILL.md'],
      found: ['info skill/name-shadowed /u/a/SKILL.md'],
    })
    expect(index(entries, root('/u', 'user'), root('/p')).names).toEqual(['a@user'])
  })

  test('in one root the first path wins, with a warning', () => {
    const entries = { '/r/x/SKILL.md': text('same'), '/r/b/SKILL.md': text('same') }
    expect(index(entries, root('/r'))).toMatchObject({
      dirs: ['/r/b'],
      shadowed: ['/r/x/SKILL.md by /r/b/SKILL.md'],
      found: [
        'warning skill/name-directory /r/b/SKILL.md',
        'warning skill/name-directory /r/x/SKILL.md',
        'warning skill/name-duplicate /r/x/SKILL.md',
      ],
    })
  })

  test('names are compared after NFKC', () => {
    const entries = { '/p/pdf/SKILL.md': text('pdf'), '/u/pdf/SKILL.md': text('ｐｄｆ') }
    expect(index(entries, root('/p'), root('/u', 'user'))).toMatchObject({
      names: ['pdf@project'],
      shadowed: [expect.any(String)],
    })
  })

  test('warns of names that differ in case alone', () => {
    expect(index({ '/r/Pdf/SKILL.md': text('Pdf'), '/r/pdf/SKILL.md': text('pdf') }, root('/r'))).toMatchObject({
      names: ['Pdf@project', 'pdf@project'],
      found: ['warning skill/name-lowercase /r/Pdf/SKILL.md', 'warning skill/name-twin /r/pdf/SKILL.md'],
    })
  })

  test('a bad skill hides no other', () => {
    const entries = {
      '/r/a/SKILL.md': 'no frontmatter',
      '/r/b/SKILL.md': text('b'),
      '/r/c/SKILL.md/x': 'a folder',
      '/r/d/SKILL.md': `${text('d')}${'x'.repeat(1024 * 1024)}`,
      '/r/e/Skill.md': text('e'),
      '/r/f/skill.md': text('f'),
      '/r/g/SKILL.md': `---\nname: g\ndescription: ${'x'.repeat(70_000)}\n---\n`,
    }
    expect(index(entries, root('/r'))).toMatchObject({
      names: ['b@project', 'f@project'],
      found: [
        'error skill/frontmatter-missing /r/a/SKILL.md',
        'error skill/not-a-file /r/c/SKILL.md',
        'error skill/file-too-large /r/d/SKILL.md',
        'error skill/file-missing /r/e/Skill.md',
        'warning skill/file-name /r/f/skill.md',
        'error skill/frontmatter-too-large /r/g/SKILL.md',
      ],
    })
  })

  describe('links', () => {
    test('are followed inside the root, each skill once', () => {
      const entries = { '/r/a': { link: 'z' }, '/r/z/SKILL.md': text('z'), '/r/loop': { link: '.' } }
      expect(index(entries, root('/r'))).toMatchObject({
        names: ['z@project'],
        dirs: ['/r/z'],
        shadowed: [],
        found: [],
      })
    })

    test('are not followed out of it', () => {
      const entries = {
        '/r/a': { link: '/o/a' },
        '/r/b/SKILL.md': { link: '/o/a/SKILL.md' },
        '/r/gone': { link: '/nowhere' },
        '/o/a/SKILL.md': text('a'),
      }
      expect(index(entries, root('/r'))).toMatchObject({
        names: [],
        found: ['warning skill/link-outside /r/a', 'warning skill/link-outside /r/b/SKILL.md'],
      })
    })

    test('into another root need no word: it is found there', () => {
      const entries = { '/p/a': { link: '/u/a' }, '/u/a/SKILL.md': text('a') }
      expect(index(entries, root('/p'), root('/u', 'user'))).toMatchObject({ names: ['a@user'], found: [] })
    })

    test('a root may be one', () => {
      const entries = { '/l': { link: '/r' }, '/r/a/SKILL.md': text('a') }
      expect(index(entries, root('/l'), root('/r', 'user'))).toMatchObject({
        names: ['a@project'],
        dirs: ['/r/a'],
        shadowed: [],
      })
    })
  })

  test('roots that are not there are empty; a suite’s own is told', () => {
    expect(index({ '/x': '' }, root('/none'), root('/gone', 'suite'))).toMatchObject({
      names: [],
      found: ['warning skill/root-missing /gone'],
    })
  })

  test('reads the head of SKILL.md, and no more than it needs', () => {
    const opened: string[] = []
    const body = 'x'.repeat(100_000)
    const long = `---\nname: b\ndescription: ${'y'.repeat(5000)}\n---\n${body}`
    const files = memoryFiles(
      {
        '/r/a/SKILL.md': text('a') + body,
        '/r/a/references/x.md': 'x',
        '/r/a/scripts/y.py': 'y',
        '/r/b/SKILL.md': long,
      },
      (path, bytes) => opened.push(`${path} ${bytes}`),
    )
    indexSkills([root('/r')], files)
    expect(opened).toEqual(['/r/a/SKILL.md 4096', '/r/b/SKILL.md 4096', '/r/b/SKILL.md 65600'])
  })

  test('the same files give the same index', () => {
    const entries = { '/r/b/SKILL.md': text('x'), '/r/a/SKILL.md': text('x'), '/r/c/SKILL.md': 'bad' }
    const reversed = Object.fromEntries(Object.entries(entries).reverse())
    expect(indexSkills([root('/r')], memoryFiles(reversed))).toEqual(indexSkills([root('/r')], memoryFiles(entries)))
  })
})

test('tells of folders that may not be looked into: roots, skills, and what a skill holds', () => {
  const closed = ['/closed', '/r/locked', '/r/a/scripts']
  const files = memoryFiles({
    '/closed/x/SKILL.md': text('x'),
    '/r/locked/SKILL.md': text('locked'),
    '/r/a/SKILL.md': text('a'),
    '/r/a/scripts/x.py': '',
    '/r/a/evals/x': '',
  })
  const guarded: Files = {
    ...files,
    list: (path) => (closed.includes(path) ? [] : files.list(path)),
    canList: (path) => !closed.includes(path),
  }
  const { skills, diagnostics } = indexSkills([root('/closed'), root('/r')], guarded)
  expect(skills.map(({ name }) => name)).toEqual(['a'])
  expect(diagnostics.map(({ severity, code, file }) => `${severity} ${code} ${file}`)).toEqual([
    'warning skill/folder-unreadable /closed',
    'warning skill/folder-unreadable /r/a/scripts',
    'warning skill/folder-unreadable /r/locked',
  ])
})
