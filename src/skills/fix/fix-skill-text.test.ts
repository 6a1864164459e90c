import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SkillProfile } from '../dialects/dialects.ts'
import { readFrontmatter } from '../read-frontmatter.ts'
import { fixShebang } from './fix-shebang.ts'
import { fixSkillText } from './fix-skill-text.ts'

const fix = (text: string, folder = 'my-skill', profile: SkillProfile = 'spec') =>
  fixSkillText(text, { folder, profile })
const rules = (text: string, folder?: string) => fix(text, folder).changes.map(({ rule, line }) => `${rule}:${line}`)
const fieldsOf = (text: string) => readFrontmatter(text, { file: 'f', mode: 'lenient' }).frontmatter?.fields
const body = '\n# My skill\n\nname: not a field\n'

describe('what can be mended in one way', () => {
  test.each<[string, string, string, readonly string[]]>([
    [
      'blank lines above',
      `\n \n---\nname: my-skill\n---\n${body}`,
      `---\nname: my-skill\n---\n${body}`,
      ['leading-blank-line:1'],
    ],
    [
      'a colon without quotes',
      `---\nname: my-skill\ndescription: Use for: "CSV" files\n---\n${body}`,
      `---\nname: my-skill\ndescription: "Use for: \\"CSV\\" files"\n---\n${body}`,
      ['unquoted-colon:3'],
    ],
    [
      'two colons running',
      `---\nname: my-skill\ndescription: Use: it\nlicense: a: b\n---\n${body}`,
      `---\nname: my-skill\ndescription: "Use: it"\nlicense: "a: b"\n---\n${body}`,
      ['unquoted-colon:3', 'unquoted-colon:4'],
    ],
    [
      'no name',
      `---\ndescription: D\n---\n${body}`,
      `---\nname: my-skill\ndescription: D\n---\n${body}`,
      ['name-missing:2'],
    ],
    [
      'a name in another spelling',
      `---\nname: "My_Skill"   # the name\n---\n${body}`,
      `---\nname: "my-skill"   # the name\n---\n${body}`,
      ['name-directory:2'],
    ],
    [
      'allowed_tools',
      `---\nname: my-skill\nallowed_tools: # these\n  - Read\n---\n${body}`,
      `---\nname: my-skill\nallowed-tools: # these\n  - Read\n---\n${body}`,
      ['allowed-tools-spelling:3'],
    ],
    [
      'version and author without metadata',
      `---\nname: my-skill\nversion: 1.0 # first\nlicense: MIT\nauthor: "me"\n---\n${body}`,
      `---\nname: my-skill\nmetadata:\n  version: 1.0 # first\n  author: "me"\nlicense: MIT\n---\n${body}`,
      ['unknown-field:3', 'unknown-field:5'],
    ],
    [
      'version beside metadata',
      `---\nversion: 1.0\nname: my-skill\nmetadata:\n    a: b\n---\n${body}`,
      `---\nname: my-skill\nmetadata:\n    version: 1.0\n    a: b\n---\n${body}`,
      ['unknown-field:2'],
    ],
    [
      'author, but no version that goes on behind a blank line',
      `---\nauthor: me\nname: my-skill\nversion: 1.0\n\n  and y\n---\n${body}`,
      `---\nmetadata:\n  author: me\nname: my-skill\nversion: 1.0\n\n  and y\n---\n${body}`,
      ['unknown-field:2'],
    ],
    [
      'CRLF and a byte order mark',
      `\ufeff\r\n---\r\nname: My Skill\r\nversion: 1\r\n---\r\nBody\r\nmore\n`,
      `\ufeff---\r\nname: my-skill\r\nmetadata:\r\n  version: 1\r\n---\r\nBody\r\nmore\n`,
      ['leading-blank-line:1', 'name-directory:2', 'unknown-field:3'],
    ],
  ])('%s', (_name, before, after, changes) => {
    expect(fix(before).text).toBe(after)
    expect(rules(before)).toEqual(changes)
    expect(fix(after)).toEqual({ text: after, changes: [] })
  })
})

describe('what could be meant otherwise is left alone', () => {
  test.each<[string, string, string?]>([
    ['another name', `---\nname: other\n---\n${body}`],
    ['a folder that is no name', `---\ndescription: D\n---\n${body}`, 'My Folder'],
    ['a colon before what may be a comment', `---\nname: my-skill\ndescription: Use for: x # y\n---\n${body}`],
    ['a value that goes on', `---\nname: my-skill\ndescription: Use for: x\n  and y\n---\n${body}`],
    ['two spellings', `---\nname: my-skill\nallowed_tools: Read\nallowed-tools: Read\n---\n${body}`],
    ['a version in both places', `---\nname: my-skill\nversion: 2\nmetadata:\n  version: 1\n---\n${body}`],
    ['metadata on one line', `---\nname: my-skill\nversion: 2\nmetadata: {a: b}\n---\n${body}`],
    ['a list', `---\nname: my-skill\nauthor:\n  - a\n---\n${body}`],
    ['a block', `---\nname: my-skill\nauthor: |\n  a\n---\n${body}`],
    ['controls', `---\nname: my-skill\nrun-mode: inline\nuser-invocable: true\n---\n${body}`],
    ['no frontmatter', body],
    ['YAML that can not be read', `---\nname: [\n---\n${body}`],
    ['a duplicate key', `---\nname: my-skill\nversion: 1\nversion: 2\n---\n${body}`],
  ])('%s', (_name, text, folder) => {
    expect(fix(text, folder)).toEqual({ text, changes: [] })
  })

  test('what the profile knows stays', () => {
    const text = `---\nname: my-skill\nversion: 1.0\nallowed_tools:\n  - Read\n---\n${body}`
    expect(fix(text, 'my-skill', 'saa').text).toBe(text)
    expect(fix(text, 'my-skill', 'hermes').changes.map(({ rule }) => rule)).toEqual(['allowed-tools-spelling'])
  })
})

test('fixing twice is fixing once, the instructions stay byte for byte, and no field is lost', () => {
  const line = fc.constantFrom(
    ...[
      'name: My Skill',
      'name: my-skill',
      'name:',
      'version: 1.0',
      'version: "2" # c',
      'author: a: b',
      'author: me',
      '# comment',
    ],
    ...[
      'metadata:',
      '  a: b',
      '  version: 3',
      '\tx: y',
      'allowed_tools: Read',
      'allowedTools:',
      '  - Bash(git:*)',
      'description: Use: it',
    ],
    ...[
      "description: 'q'",
      'description: >',
      '  folded',
      'homepage: https://x.example',
      '',
      '---',
      '...',
      '{a: b}',
      '- x',
      'a: &b c',
      'é: ü',
    ],
  )
  const ending = fc.constantFrom('\n', '\r\n')
  const text = fc
    .tuple(
      fc.constantFrom('', '\ufeff', '\n', '\r\n'),
      fc.array(fc.tuple(line, ending), { maxLength: 8 }),
      ending,
      fc.string(),
    )
    .map(
      ([before, lines, end, rest]) =>
        `${before}---${end}${lines.map((each) => each.join('')).join('')}---${end}${rest}`,
    )
  fc.assert(
    fc.property(text, (written) => {
      const once = fix(written)
      expect(fix(once.text)).toEqual({ text: once.text, changes: [] })
      expect(once.changes.length === 0).toBe(once.text === written)
      if (once.changes.length === 0) return
      const [before, after] = [fieldsOf(written) ?? {}, fieldsOf(once.text)]
      expect(after).toBeDefined()
      expect(values(after)).toEqual(expect.arrayContaining(values({ ...before, name: undefined })))
      const comments = (of: string) => of.match(/#[^\r\n]*/g) ?? []
      expect(comments(once.text).sort()).toEqual(comments(written).sort())
    }),
    { numRuns: 3000 },
  )
})

const values = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(values)
    : value === undefined
      ? []
      : [value]

describe('scripts without a shebang', () => {
  test.each<[string, string, string | undefined]>([
    ['scripts/a.py', 'print(1)\n', '#!/usr/bin/env python3\nprint(1)\n'],
    ['scripts/a.sh', '\necho\n', '#!/usr/bin/env bash\n\necho\n'],
    ['scripts/a.mjs', 'x()\n', '#!/usr/bin/env node\nx()\n'],
    ['scripts/a.py', '#!/usr/bin/python3\n', undefined],
    ['scripts/a.py', 'print(1)\r\n', undefined],
    ['scripts/a.py', '\ufeffprint(1)\n', undefined],
    ['scripts/a.py', '', undefined],
    ['scripts/a.ts', 'x()\n', undefined],
    ['scripts/a', 'x\n', undefined],
  ])('%s: %j', (path, text, expected) => {
    expect(fixShebang(path, text)).toBe(expected)
  })
})
