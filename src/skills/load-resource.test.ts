import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import type { Skill } from '../core/skill.ts'
import { loadResource, type ResourceRequest } from './load-resource.ts'

const skill = { name: 'x', dir: '/s/x', file: '/s/x/SKILL.md' } as Skill
const kpi = '# KPI\n\n## Revenue\n\nMoney in.\n\n### Detail\n\nMore.\n\n## Churn\n\nMoney out.\n'
const large = `# Large\n\n${'0123456789abcde\n'.repeat(20_000)}`
const entries: Parameters<typeof memoryFiles>[0] = {
  '/s/x/SKILL.md': '---\nname: x\n---\n',
  '/s/x/references/kpi.md': kpi,
  '/s/x/references/large.md': large,
  '/s/x/references/latin.txt': new Uint8Array([0x61, 0xe9]),
  '/s/x/references/fffd.txt': 'a\ufffdb',
  '/s/x/references/crlf.txt': '\ufeffa\r\nb\u200b\r\n',
  '/s/x/assets/logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
  '/s/x/assets/form.docx': new Uint8Array([0x50, 0x4b, 3, 4, 0]),
  '/s/x/assets/data.bin': new Uint8Array(300_000),
  '/s/x/assets/empty.txt': '',
  '/s/x/assets/one-line.txt': 'é'.repeat(200_000),
  '/s/x/assets/odd-line.txt': `a${'é'.repeat(200_000)}`,
  '/s/x/scripts/top.py': 'print(1)',
  '/s/x/scripts/README.md': 'x',
  '/s/x/tool.sh': 'x',
  '/s/x/evals/secret.md': 'expected',
  '/s/x/.env': 'KEY=1',
  '/s/x/in.md': { link: 'references/kpi.md' },
  '/s/x/out.md': { link: '/etc/passwd' },
  '/s/x/outdir': { link: '/s' },
  '/s/x/up.md': { link: '../y/SKILL.md' },
  '/s/x/self.md': { link: 'SKILL.md' },
  '/s/x/eval.md': { link: 'evals/secret.md' },
  '/s/x/run.md': { link: 'scripts/top.py' },
  '/s/y/SKILL.md': 'other',
  '/s/xy/a.md': 'sibling',
  '/etc/passwd': 'root',
}
const load = (request: ResourceRequest) => loadResource(skill, request, memoryFiles(entries))
const textOf = async (request: ResourceRequest) => {
  const result = await load(request)
  return 'text' in result ? result.text : result
}
const problemOf = async (request: ResourceRequest) => {
  const result = await load(request)
  return 'problem' in result ? result.problem : result
}

describe('loadResource', () => {
  test('reads a file whole', async () => {
    expect(await load({ path: './references//kpi.md' })).toEqual({ text: kpi, bytes: kpi.length, binary: false })
    expect(await load({ path: 'in.md' })).toMatchObject({ text: kpi })
    expect(await load({ path: 'assets/empty.txt' })).toEqual({ text: '', bytes: 0, binary: false })
    expect(await textOf({ path: 'references/fffd.txt' })).toBe('a\ufffdb')
  })

  test('shows what a reader would see', async () => {
    expect(await textOf({ path: 'references/crlf.txt' })).toBe('a\nb\n\n[1 invisible character was left out]')
  })

  test.each(['Revenue', '## Revenue', '#revenue', 'revenue'])('reads the section %j alone', async (section) => {
    expect(await textOf({ path: 'references/kpi.md', section })).toBe(
      '## Revenue\n\nMoney in.\n\n### Detail\n\nMore.\n\n',
    )
  })

  test('an unknown section answers with the headings there are', async () => {
    expect(await problemOf({ path: 'references/kpi.md', section: 'Costs' })).toBe(
      '"references/kpi.md" has no heading "Costs". There is: # KPI, ## Revenue, ### Detail, ## Churn.',
    )
    expect(await problemOf({ path: 'assets/empty.txt', section: 'A' })).toBe(
      '"assets/empty.txt" has no heading "A". It has none.',
    )
  })

  test.each([
    ['3-5', '## Revenue\n\nMoney in.'],
    ['13', 'Money out.'],
    ['12-', '\nMoney out.'],
    ['12-99', '\nMoney out.'],
    [' 1-1 ', '# KPI'],
  ])('reads the lines %j', async (lines, expected) => {
    expect(await textOf({ path: 'references/kpi.md', lines })).toBe(expected)
  })

  test.each([
    ['14', '"references/kpi.md" has 13 lines, fewer than 14.'],
    ['20-30', '"references/kpi.md" has 13 lines, fewer than 20.'],
    ['0-3', 'The lines "0-3" can\'t be read: write "10-40", "10-" or "10".'],
    ['5-3', 'The lines "5-3" can\'t be read: write "10-40", "10-" or "10".'],
    ['-3', 'The lines "-3" can\'t be read: write "10-40", "10-" or "10".'],
    ['a', 'The lines "a" can\'t be read: write "10-40", "10-" or "10".'],
  ])('says of the lines %j what is wrong', async (lines, problem) => {
    expect(await problemOf({ path: 'references/kpi.md', lines })).toBe(problem)
  })

  test('section and lines at once are refused', async () => {
    expect(await problemOf({ path: 'references/kpi.md', lines: '1', section: 'KPI' })).toBe(
      'Give either a section or lines, not both.',
    )
  })

  test('shows the first 256 KiB of a large file, and says what was cut', async () => {
    const result = await load({ path: 'references/large.md' })
    expect(result).toMatchObject({ bytes: 262_144, binary: false })
    expect(await textOf({ path: 'references/large.md' })).toMatch(
      /\n\[cut: the first 262,144 bytes of 320,009 bytes; ask for lines or a section\]$/,
    )
    expect(await textOf({ path: 'assets/one-line.txt' })).toMatch(/é\n\[cut: the first 262,144 bytes of 400,000 bytes/)
    expect(await textOf({ path: 'assets/odd-line.txt' })).toMatch(/é\n\[cut: the first 262,143 bytes of 400,001 bytes/)
  })

  test('reads lines beyond it, and cuts those too', async () => {
    expect(await textOf({ path: 'references/large.md', lines: '20002' })).toBe('0123456789abcde')
    expect(await problemOf({ path: 'references/large.md', lines: '20003' })).toMatch('has 20002 lines')
    expect(await textOf({ path: 'references/large.md', lines: '2-' })).toMatch(/\n\[cut: .*ask for fewer\]$/)
    expect(await textOf({ path: 'references/large.md', section: 'Large' })).toMatch(
      /\n\[only the first 256 KiB were looked at\]$/,
    )
  })

  test('describes binary files instead of showing them', async () => {
    expect(await load({ path: 'assets/logo.png' })).toEqual({
      text: '[assets/logo.png: PNG image, 9 bytes, not shown]',
      bytes: 9,
      binary: true,
    })
    expect(await textOf({ path: 'assets/form.docx' })).toBe('[assets/form.docx: Word document, 5 bytes, not shown]')
    expect(await textOf({ path: 'assets/data.bin' })).toBe(
      '[assets/data.bin: binary .bin file, 300,000 bytes, not shown]',
    )
    expect(await textOf({ path: 'references/latin.txt' })).toBe(
      '[references/latin.txt: binary .txt file, 2 bytes, not shown]',
    )
  })
})

describe('paths', () => {
  test.each([
    ['../y/SKILL.md', '"../y/SKILL.md" is refused: the path has "..", which would leave the folder.'],
    ['references/../../y/SKILL.md', 'refused: the path has ".."'],
    ['/etc/passwd', 'is refused: the path is absolute: give a relative one.'],
    ['references\\kpi.md', 'is refused: the path has a backslash: use forward slashes.'],
    ['references/kpi.md\0.png', '"references/kpi.md\\x00.png" is refused: the path has a control character.'],
    ['', 'is refused: the path is empty.'],
    ['out.md', '"out.md" is refused: it leads out of the skill through a link.'],
    ['outdir/y/SKILL.md', 'is refused: it leads out of the skill through a link.'],
    ['up.md', 'is refused: it leads out of the skill through a link.'],
    ['outdir/xy/a.md', 'is refused: it leads out of the skill through a link.'],
    ['references', '"references" is a folder. Its files, nearest first: references/kpi.md, references/crlf.txt'],
    ['.', '"." is a folder. Its files, nearest first: assets/data.bin'],
  ])('%j is refused with the reason', async (path, problem) => {
    expect(await problemOf({ path })).toContain(problem)
  })

  test('an unknown path answers with the files there are, nearest first', async () => {
    expect(await problemOf({ path: 'references/kip.md' })).toMatch(
      /^The skill x has no file "references\/kip\.md"\. Its files, nearest first: references\/kpi\.md, /,
    )
  })

  test('at most 20 of them', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`/s/x/${i}.md`, 'x']))
    expect(await loadResource(skill, { path: 'nothing-like' }, memoryFiles(many))).toMatchObject({
      problem: expect.stringMatching(/ and 10 more\.$/),
    })
  })

  test.each(['SKILL.md', 'skill.md', './SKILL.md', 'self.md'])('%j is selected, not read', async (path) => {
    expect(await problemOf({ path })).toBe(
      'SKILL.md holds the instructions of x: select the skill with select_skills to load them.',
    )
  })

  test.each(['evals/secret.md', 'EVALS/secret.md', 'evals', 'eval.md', '.env'])('%j is not there', async (path) => {
    expect(await problemOf({ path })).toMatch(/^The skill x has no file /)
    expect(await problemOf({ path })).not.toMatch(/, evals\/|\.env,|eval\.md,/)
  })

  test.each(['scripts/top.py', 'scripts/README.md', 'tool.sh', 'run.md'])('%j is run, not read', async (path) => {
    expect(await problemOf({ path })).toBe(`"${path}" is a script, and scripts are not read: run it with run_script.`)
  })

  test('whatever the path, nothing is shown but the skill’s own resources', async () => {
    const closed = memoryFiles({
      '/s/x/SKILL.md': 'SECRET',
      '/s/x/a.md': 'open',
      '/s/x/b/c.md': 'open',
      '/s/x/evals/a.md': 'SECRET',
      '/s/x/scripts/a.md': 'SECRET',
      '/s/x/.git/a.md': 'SECRET',
      '/s/x/up': { link: '..' },
      '/s/x/b/self': { link: '..' },
      '/s/xy/a.md': 'SECRET',
      '/s/a.md': 'SECRET',
      '/a.md': 'SECRET',
    })
    const names = [
      '..',
      '.',
      '',
      'a.md',
      'b',
      'c.md',
      'SKILL.md',
      'evals',
      'scripts',
      '.git',
      'up',
      'self',
      'x',
      'xy',
      's',
    ]
    const segment = fc.constantFrom(...names, ...names.map((name) => name.toUpperCase()))
    const paths = fc.array(fc.tuple(segment, fc.constantFrom('/', '/', '/', '/', '//', '\\', '%2f', '\0')), {
      maxLength: 4,
    })
    let shown = 0
    await fc.assert(
      fc.asyncProperty(paths, async (parts) => {
        const path = parts.flat().join('').replace(/\/$/, '')
        const result = await loadResource(skill, { path }, closed)
        expect(JSON.stringify(result)).not.toContain('SECRET')
        if ('text' in result) shown += 1
      }),
      { numRuns: 3000 },
    )
    // How many it is is chance.
    expect(shown).toBeGreaterThan(0)
  })
})
