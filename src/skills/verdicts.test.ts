import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import type { Skill } from '../core/skill.ts'
import { loadBody } from './load-body.ts'
import { readFrontmatter } from './read-frontmatter.ts'
import { renderIndex } from './render-index.ts'
import { validateSkill } from './validate-skill.ts'

// The tests of the standard's reference implementation, one by one, and what it was seen to do at the edges.

const text = (name: string, more = '', description = 'A test skill. Use when testing.') =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n# ${name}\n`

const errorsOf = async (entries: Record<string, string | Uint8Array>, path: string) => {
  const { diagnostics } = await validateSkill(path, memoryFiles(entries))
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)
}

const skillErrors = (dir: string, content: string) => errorsOf({ [`/s/${dir}/SKILL.md`]: content }, `/s/${dir}`)

describe('the validator', () => {
  const long = 'a'.repeat(70)
  test.each<[string, string, string, readonly string[]]>([
    ['V1 name and description', 'my-skill', text('my-skill'), []],
    ['V5 uppercase', 'MySkill', text('MySkill'), ['skill/name-lowercase']],
    ['V6 70 characters', long, text(long), ['skill/name-length']],
    ['V7 leading hyphen', '-my-skill', text('-my-skill'), ['skill/name-hyphens']],
    ['V8 two hyphens', 'my--skill', text('my--skill'), ['skill/name-double-hyphen']],
    ['V9 underscore', 'my_skill', text('my_skill'), ['skill/name-characters']],
    ['V10 other folder', 'wrong-name', text('correct-name'), ['skill/name-directory']],
    ['V11 unknown field', 'my-skill', text('my-skill', 'unknown_field: x\n'), ['skill/unknown-field']],
    ['V12 license, metadata', 'my-skill', text('my-skill', 'license: MIT\nmetadata:\n  author: me\n'), []],
    ['V13 allowed-tools', 'my-skill', text('my-skill', 'allowed-tools: Bash(jq:*) Bash(git:*)\n'), []],
    ['V14 Chinese', '技能', text('技能'), []],
    ['V15 Cyrillic with a hyphen', 'мой-навык', text('мой-навык'), []],
    ['V16 Cyrillic', 'навык', text('навык'), []],
    ['V17 Cyrillic uppercase', 'НАВЫК', text('НАВЫК'), ['skill/name-lowercase']],
    ['V18 long description', 'my-skill', text('my-skill', '', 'x'.repeat(1100)), ['skill/description-length']],
    ['V19 compatibility', 'my-skill', text('my-skill', 'compatibility: Requires Python 3.11+\n'), []],
    [
      'V20 long compatibility',
      'my-skill',
      text('my-skill', `compatibility: ${'x'.repeat(550)}\n`),
      ['skill/compatibility-length'],
    ],
    ['V21 NFKC', 'caf\u00e9', text('cafe\u0301'), []],
    ['P1 frontmatter and body', 'my-skill', text('my-skill'), []],
    ['P2 no fence', 'my-skill', '# No frontmatter\n', ['skill/frontmatter-missing']],
    ['P3 one fence', 'my-skill', '---\nname: my-skill\n', ['skill/frontmatter-unclosed']],
    ['P4 broken YAML', 'my-skill', '---\nname: [x\ndescription: y\n---\n', ['skill/yaml-syntax']],
    ['P5 a list', 'my-skill', '---\n- x\n- y\n---\n', ['skill/frontmatter-map']],
    ['P9 no name', 'my-skill', '---\ndescription: Use when x.\n---\n', ['skill/name-missing']],
    ['P10 no description', 'my-skill', '---\nname: my-skill\n---\n', ['skill/description-missing']],
  ])('%s', async (_, dir, content, expected) => {
    expect(await skillErrors(dir, content)).toEqual(expected)
  })

  test('V2 nothing there', async () => {
    expect(await errorsOf({ '/s/x/SKILL.md': '' }, '/s/nonexistent')).toEqual(['skill/path-missing'])
  })

  test('V3 a file', async () => {
    expect(await errorsOf({ '/s/file.txt': 'x' }, '/s/file.txt')).toEqual(['skill/not-a-folder'])
  })

  test.each(['V4 no SKILL.md', 'P8 no SKILL.md', 'P13 neither spelling'])('%s', async () => {
    expect(await errorsOf({ '/s/my-skill/notes.md': 'x' }, '/s/my-skill')).toEqual(['skill/file-missing'])
  })

  test('a path to SKILL.md means its folder', async () => {
    expect(await errorsOf({ '/s/my-skill/SKILL.md': text('my-skill') }, '/s/my-skill/SKILL.md')).toEqual([])
  })
})

describe('the parser', () => {
  const load = async (entries: Record<string, string>, path = '/s/my-skill') => {
    const files = memoryFiles(entries)
    const { skill } = await validateSkill(path, files)
    return { skill: skill as Skill, files }
  }

  test('P1 gives the body with its heading', async () => {
    const { skill, files } = await load({ '/s/my-skill/SKILL.md': text('my-skill') })
    expect(skill).toMatchObject({ name: 'my-skill', description: 'A test skill. Use when testing.' })
    expect(loadBody(skill, files, { maxBodyLines: 500, overLong: 'warn' })).toMatchObject({ text: '# my-skill' })
  })

  test('P6 carries name, description, license', async () => {
    const { skill } = await load({ '/s/my-skill/SKILL.md': text('my-skill', 'license: MIT\n') })
    expect(skill).toMatchObject({ name: 'my-skill', license: 'MIT', metadata: {} })
  })

  test('P7 keeps 1.0 as it is written', async () => {
    const { skill } = await load({ '/s/my-skill/SKILL.md': text('my-skill', 'metadata:\n  version: 1.0\n  n: 10\n') })
    expect(skill.metadata).toEqual({ version: '1.0', n: '10' })
  })

  test('P11 SKILL.md wins over skill.md', async () => {
    const { skill } = await load({
      '/s/my-skill/SKILL.md': text('my-skill', '', 'Upper.'),
      '/s/my-skill/skill.md': text('my-skill', '', 'Lower.'),
    })
    expect(skill.description).toBe('Upper.')
  })

  test.each(['P12', 'P14'])('%s skill.md is read, with a warning', async () => {
    const files = memoryFiles({ '/s/my-skill/skill.md': text('my-skill') })
    const { skill, diagnostics } = await validateSkill('/s/my-skill', files)
    expect(skill?.file).toBe('/s/my-skill/skill.md')
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'skill/file-name' }])
  })

  test('P15 keeps allowed-tools as it is written beside how it is read', async () => {
    const content = text('my-skill', 'allowed-tools: Bash(jq:*) Bash(git:*)\n')
    const { frontmatter } = readFrontmatter(content, { file: 'SKILL.md', mode: 'strict' })
    expect(frontmatter?.fields['allowed-tools']).toBe('Bash(jq:*) Bash(git:*)')
    const { skill } = await load({ '/s/my-skill/SKILL.md': content })
    expect(skill.allowedTools).toEqual(['Bash(jq:*)', 'Bash(git:*)'])
  })
})

describe('the index in a prompt', () => {
  const skill = async (name: string, description: string) => {
    const files = memoryFiles({ [`/s/${name}/SKILL.md`]: text(name, '', description) })
    return (await validateSkill(`/s/${name}`, files)).skill as Skill
  }

  test('T1 without skills', () => {
    expect(renderIndex([])).toBe('<available_skills>\n</available_skills>')
  })

  test('T2 one skill', async () => {
    expect(renderIndex([await skill('my-skill', 'A test skill')], { locations: true })).toBe(
      [
        '<available_skills>',
        '<skill>',
        '<name>',
        'my-skill',
        '</name>',
        '<description>',
        'A test skill',
        '</description>',
        '<source>',
        'project',
        '</source>',
        '<location>',
        '/s/my-skill/SKILL.md',
        '</location>',
        '</skill>',
        '</available_skills>',
      ].join('\n'),
    )
  })

  test('T3 two skills in the given order', async () => {
    const index = renderIndex([await skill('skill-b', 'B'), await skill('skill-a', 'A')])
    expect(index.match(/^<skill>$/gm)).toHaveLength(2)
    expect(index.indexOf('skill-b')).toBeLessThan(index.indexOf('skill-a'))
    expect(index).not.toContain('SKILL.md')
  })

  test('T4 special characters are escaped', async () => {
    const index = renderIndex([await skill('my-skill', 'Use <foo> & <bar> tags')])
    expect(index).toContain('Use &lt;foo&gt; &amp; &lt;bar&gt; tags')
    expect(index).not.toMatch(/<foo>|<bar>/)
  })
})

describe('the edges', () => {
  const emoji = '🎉'
  test.each<[string, string, string, readonly string[]]>([
    ['CRLF', 'x', text('x').replaceAll('\n', '\r\n'), []],
    ['a byte order mark', 'x', `\ufeff${text('x')}`, []],
    ['a leading blank line', 'x', `\n${text('x')}`, ['skill/leading-blank-line']],
    ['--- inside the description', 'x', text('x', 'license: MIT\n', 'a --- b'), []],
    ['one fence and --- inside a value', 'x', '---\nname: x\ndescription: a --- b\n', ['skill/frontmatter-unclosed']],
    ['a name with spaces around it', 'x', text('" x "'), []],
    ['full-width letters', 'pdf', text('ｐｄｆ'), []],
    ['a superscript', 'a2', text('a²'), []],
    ['a ligature', 'file', text('ﬁle'), []],
    ['Hindi', 'कौशल', text('कौशल'), ['skill/name-characters']],
    ['Thai with a mark', 'ทักษะ', text('ทักษะ'), ['skill/name-characters']],
    ['emoji', emoji, text(emoji), ['skill/name-characters']],
    ['Arabic-Indic digits', '١٢٣', text('١٢٣'), []],
    ['straße', 'straße', text('straße'), []],
    ['digits only', '123', text('123'), []],
    ['64 characters', 'a'.repeat(64), text('a'.repeat(64)), []],
    ['65 characters', 'a'.repeat(65), text('a'.repeat(65)), ['skill/name-length']],
    ['64 code points beyond the BMP', '𠮷'.repeat(64), text('𠮷'.repeat(64)), []],
    ['1,024 characters', 'x', text('x', '', 'd'.repeat(1024)), []],
    ['1,025 characters', 'x', text('x', '', 'd'.repeat(1025)), ['skill/description-length']],
    ['1,023 characters and spaces', 'x', text('x', '', `"${'d'.repeat(1023)}${' '.repeat(9)}"`), []],
    ['a description of spaces', 'x', text('x', '', '"   "'), ['skill/description-missing']],
    ['angle brackets', 'x', text('x', '', 'Use <foo>.'), []],
    ['an empty compatibility', 'x', text('x', 'compatibility: ""\n'), []],
    ['a list as compatibility', 'x', text('x', 'compatibility: [a]\n'), ['skill/compatibility-type']],
    ['a block list of tools', 'x', text('x', 'allowed-tools:\n  - Read\n  - Bash(git:*)\n'), []],
    ['a flow list of tools', 'x', text('x', 'allowed-tools: [Read, Grep]\n'), []],
    ['allowed_tools', 'x', text('x', 'allowed_tools: Read\n'), ['skill/unknown-field']],
    ['scalar metadata', 'x', text('x', 'metadata: text\n'), []],
    ['nested metadata', 'x', text('x', 'metadata:\n  a:\n    b: c\n'), []],
    ['a top-level version', 'x', text('x', 'version: 1.0\n'), ['skill/unknown-field']],
    ['an unquoted colon', 'x', text('x', '', 'Use this: when'), ['skill/unquoted-colon']],
    ['My-Skill in its name’s case', 'My-Skill', text('my-skill'), ['skill/name-directory']],
    ['an alias', 'x', text('x', 'license: &a MIT\nmetadata: {l: *a}\n'), ['skill/yaml-alias', 'skill/yaml-alias']],
    ['a tag', 'x', text('x', 'license: !x MIT\n'), ['skill/yaml-tag']],
    ['a tag of a type', 'x', text('x', 'license: !!int 1\n'), ['skill/yaml-tag']],
    ['a field twice', 'x', text('x', 'name: y\n'), ['skill/yaml-duplicate-key']],
    [
      'four faults of one name',
      '-A_b--',
      text('-A_b--'),
      ['skill/name-lowercase', 'skill/name-hyphens', 'skill/name-double-hyphen', 'skill/name-characters'],
    ],
    [
      'unknown fields, then name, then description',
      'x',
      '---\ncompatibility: [a]\nname: Y\nzeta: 1\nalpha: 2\n---\n',
      [
        'skill/unknown-field',
        'skill/unknown-field',
        'skill/name-lowercase',
        'skill/name-directory',
        'skill/description-missing',
        'skill/compatibility-type',
      ],
    ],
  ])('%s', async (_, dir, content, expected) => {
    expect(await skillErrors(dir, content)).toEqual(expected)
  })

  test('Skill.md in mixed case is missing', async () => {
    expect(await errorsOf({ '/s/x/Skill.md': text('x') }, '/s/x')).toEqual(['skill/file-missing'])
  })

  test.each<[string, string, string]>([
    ['an empty compatibility', 'compatibility: ""\n', 'skill/compatibility-empty'],
    ['nested metadata', 'metadata:\n  a:\n    b: c\n', 'skill/metadata-nested'],
    ['scalar metadata', 'metadata: text\n', 'skill/metadata-map'],
  ])('warns of %s', async (_, more, code) => {
    const { diagnostics } = await validateSkill('/s/x', memoryFiles({ '/s/x/SKILL.md': text('x', more) }))
    expect(diagnostics).toMatchObject([{ severity: 'warning', code, file: '/s/x/SKILL.md', line: expect.any(Number) }])
  })

  test('names that are not ASCII are a note', async () => {
    const { diagnostics } = await validateSkill('/s/技能', memoryFiles({ '/s/技能/SKILL.md': text('技能') }))
    expect(diagnostics).toMatchObject([{ severity: 'info', code: 'skill/name-ascii' }])
  })
})
