import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Skill } from '../core/skill.ts'
import { parseSkill } from './parse-skill.ts'

const place = { dir: '/s/csv', file: '/s/csv/SKILL.md', source: 'project', folders: ['csv'] } as const
const parse = (head: string, complete = true) => parseSkill({ head, complete, ...place })
const load = (more: string) => parse(`---\nname: csv\ndescription: Sum a CSV.\n${more}---\nBody\n`)
const codes = (result: { diagnostics: readonly { severity: string; code: string }[] }) =>
  result.diagnostics.map(({ severity, code }) => `${severity} ${code}`)

describe('parseSkill', () => {
  test('reads a skill whole', () => {
    const result = load(
      'license: MIT\ncompatibility: Python 3\nmetadata:\n  author: me\n  tags: a, b\nallowed-tools: Read Bash(git:*)\nversion: 1.2.0\nrun-mode: inline\n',
    )
    expect(result).toEqual({
      diagnostics: [],
      skill: {
        name: 'csv',
        description: 'Sum a CSV.',
        source: 'project',
        dir: '/s/csv',
        file: '/s/csv/SKILL.md',
        hiddenFromModel: false,
        hiddenFromUser: false,
        allowedTools: ['Read', 'Bash(git:*)'],
        tags: ['a', 'b'],
        license: 'MIT',
        compatibility: 'Python 3',
        version: '1.2.0',
        metadata: { author: 'me', tags: 'a, b' },
        extra: { version: '1.2.0', 'run-mode': 'inline' },
      } satisfies Skill,
    })
  })

  test('the least skill has defaults', () => {
    expect(parse('---\ndescription: x\n---\n').skill).toEqual({
      name: 'csv',
      description: 'x',
      source: 'project',
      dir: '/s/csv',
      file: '/s/csv/SKILL.md',
      hiddenFromModel: false,
      hiddenFromUser: false,
      allowedTools: undefined,
      tags: [],
      metadata: {},
      extra: {},
    })
  })

  test.each<[string, string, string, readonly string[]]>([
    ['no name', 'description: x\n', 'csv', ['warning skill/name-missing']],
    ['a list for a name', 'name: [a]\ndescription: x\n', 'csv', ['warning skill/name-missing']],
    ['another name', 'name: other\ndescription: x\n', 'other', ['warning skill/name-directory']],
    [
      'a name with a line break',
      'name: "a\\nb"\ndescription: x\n',
      'csv',
      ['warning skill/name-characters', 'warning skill/name-directory'],
    ],
    ['an unquoted colon', 'name: csv\ndescription: Use: when\n', 'csv', ['warning skill/unquoted-colon']],
    ['an unknown field', 'name: csv\ndescription: x\nprio: 1\n', 'csv', ['info skill/unknown-field']],
    [
      'a long description',
      `name: csv\ndescription: ${'x'.repeat(1025)}\n`,
      'csv',
      ['warning skill/description-length'],
    ],
    ['hidden characters', 'name: csv\ndescription: "a\u200bb"\n', 'csv', ['warning skill/invisible-characters']],
    ['nested metadata', 'name: csv\ndescription: x\nmetadata: {a: [b]}\n', 'csv', ['warning skill/metadata-nested']],
    ['bytes that are no text', 'name: csv\ndescription: a\ufffdb\n', 'csv', ['warning skill/not-utf8']],
  ])('loads with %s', (_, frontmatter, name, expected) => {
    const result = parse(`---\n${frontmatter}---\n`)
    expect(result.skill?.name).toBe(name)
    expect(codes(result)).toEqual(expected)
  })

  test.each<[string, string, string]>([
    ['without a description', '---\nname: csv\n---\n', 'skill/description-missing'],
    ['with an empty description', '---\ndescription: ""\n---\n', 'skill/description-missing'],
    [
      'with a description that nobody sees',
      '---\nname: csv\ndescription: "\u200b"\n---\n',
      'skill/description-missing',
    ],
    ['with hopeless YAML', '---\nname: [x\ndescription: y\n---\n', 'skill/yaml-syntax'],
    ['without frontmatter', '# Title\n', 'skill/frontmatter-missing'],
  ])('skips a skill %s, as an error', (_, head, code) => {
    const result = parse(head)
    expect(result.skill).toBeUndefined()
    expect(codes(result)).toContain(`error ${code}`)
  })

  test('what other systems write is kept without a word', () => {
    const result = load('author: me\ntrigger: csv\ncontext: fork\nmodel: opus\nargument-hint: FILE\nwhen_to_use: x\n')
    expect(result.diagnostics).toEqual([])
    expect(Object.keys(result.skill?.extra ?? {})).toEqual([
      'author',
      'trigger',
      'context',
      'model',
      'argument-hint',
      'when_to_use',
    ])
  })

  test('keeps nested metadata as JSON text, and __proto__ as a key', () => {
    const { skill } = load('metadata:\n  hermes: {tags: [a]}\n  __proto__: x\n')
    expect(Object.entries(skill?.metadata ?? {})).toEqual([
      ['hermes', '{"tags":["a"]}'],
      ['__proto__', 'x'],
    ])
  })

  test.each<[string, readonly string[]]>([
    ['tags: data, csv files, data\n', ['data', 'csv files']],
    ['tags: data csv\n', ['data', 'csv']],
    ['tags: [data, csv]\n', ['data', 'csv']],
    ['metadata:\n  tags: a b\n', ['a', 'b']],
    ['tags: {a: b}\n', []],
  ])('reads the tags of %j', (more, tags) => {
    expect(load(more).skill?.tags).toEqual(tags)
  })

  test('reads the version of metadata where there is no other', () => {
    expect(load('metadata:\n  version: 1.0\n').skill?.version).toBe('1.0')
    expect(load('version: 2.0\nmetadata:\n  version: 1.0\n').skill?.version).toBe('2.0')
  })

  test('never throws, and says why where there is no skill', () => {
    const pieces = fc.constantFrom(
      '---\n',
      'name: ',
      'description: ',
      'allowed-tools: ',
      'metadata:\n  ',
      'a',
      '\n',
      ': ',
      '[',
      '"',
      '- ',
      '\u202e',
      '\0',
    )
    const heads = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 20 }).map((all) => `---\n${all.join('')}\n---\n`),
    )
    fc.assert(
      fc.property(heads, fc.boolean(), (head, complete) => {
        const result = parse(head, complete)
        if (result.skill === undefined) expect(codes(result).some((code) => code.startsWith('error'))).toBe(true)
        else expect(result.skill.name).toMatch(/^[^\p{Cc}]+$/u)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('allowed-tools', () => {
  test.each<[string, readonly string[] | undefined, readonly string[]]>([
    ['', undefined, []],
    ['allowed-tools: Read Grep\n', ['Read', 'Grep'], []],
    ['allowed-tools: Read, Bash(git add *), Bash(jq:*)\n', ['Read', 'Bash(git add *)', 'Bash(jq:*)'], []],
    ['allowed-tools:\n  - Read\n  - Bash(git add *)\n', ['Read', 'Bash(git add *)'], []],
    ['allowed-tools: [Read, "Bash(a, b) Write"]\n', ['Read', 'Bash(a, b)', 'Write'], []],
    ['allowed-tools: Bash(echo $(date) x)\n', ['Bash(echo $(date) x)'], []],
    ['allowed-tools: ""\n', [], []],
    ['allowed-tools: []\n', [], []],
    ['allowed-tools:\n', [], []],
    ['allowed_tools: Read\n', ['Read'], ['info skill/allowed-tools-spelling']],
    ['allowedTools: [Read]\n', ['Read'], ['info skill/allowed-tools-spelling']],
    ['allowedTools: Grep\nallowed-tools: Read\n', ['Read'], ['info skill/allowed-tools-spelling']],
    ...['Allowed-Tools', 'ALLOWED_TOOLS', 'allowedtools', 'allowed tools', 'allowed\u2011tools', 'allowed-tool'].map(
      (field): [string, string[], string[]] => [`${field}: Read\n`, ['Read'], ['info skill/allowed-tools-spelling']],
    ),
    ['Allowed-Tools: Bash\nallowed_tools: Read\n', ['Read'], Array(2).fill('info skill/allowed-tools-spelling')],
    ['disallowed-tools: Read\n', undefined, []],
    ['metadata:\n  allowed-tools: Read\n', undefined, []],
    [
      'allowed-tools: Bash(git:*\nallowed_tools: Read\n',
      [],
      ['info skill/allowed-tools-spelling', 'warning skill/allowed-tools-unreadable'],
    ],
    ['allowed-tools: Bash(git:*\n', [], ['warning skill/allowed-tools-unreadable']],
    ['allowed-tools: Bash)(\n', [], ['warning skill/allowed-tools-unreadable']],
    ['allowed-tools: {Read: yes}\n', [], ['warning skill/allowed-tools-unreadable']],
    ['allowed-tools: [[Read]]\n', [], ['warning skill/allowed-tools-unreadable']],
    ['allowed-tools:\n  - Read\n  - Bash(x\n', [], ['warning skill/allowed-tools-unreadable']],
  ])('%j', (more, tools, expected) => {
    const result = load(more)
    expect(result.skill?.allowedTools).toEqual(tools)
    expect(codes(result)).toEqual(expected)
  })
})

describe('controls', () => {
  test.each(['true', 'yes', 'on', '1', 'True', '"YES"'])('%s hides from the model', (value) => {
    expect(load(`disable-model-invocation: ${value}\n`).skill?.hiddenFromModel).toBe(true)
    expect(load(`user-invocable: ${value}\n`).skill?.hiddenFromUser).toBe(false)
  })

  test.each(['false', 'no', 'off', '0'])('%s does not', (value) => {
    expect(load(`disable-model-invocation: ${value}\n`).skill?.hiddenFromModel).toBe(false)
    expect(load(`user-invocable: ${value}\n`).skill?.hiddenFromUser).toBe(true)
  })

  test.each(['maybe', '[yes]', '""'])('%s can not be read, and hides', (value) => {
    const model = load(`disable-model-invocation: ${value}\n`)
    const user = load(`user-invocable: ${value}\n`)
    expect([model.skill?.hiddenFromModel, user.skill?.hiddenFromUser]).toEqual([true, true])
    expect([...codes(model), ...codes(user)]).toEqual(['warning skill/control-flag', 'warning skill/control-flag'])
  })
})
