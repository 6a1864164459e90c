import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project, root, skill } from './support/cli.ts'

type Listed = { readonly name: string; readonly source: string; readonly dir: string; readonly description: string }
type Index = {
  readonly skills: readonly Listed[]
  readonly shadowed: readonly { readonly skill: Listed; readonly by: Listed }[]
  readonly diagnostics: readonly { readonly code: string; readonly file: string; readonly severity: string }[]
}
type Validation = {
  readonly skills: number
  readonly ok: boolean
  readonly diagnostics: readonly {
    readonly code: string
    readonly severity: string
    readonly file: string
    readonly line?: number
    readonly column?: number
    readonly hint?: string
  }[]
}

const at = (place: string, name = 'shared') => ({
  [`${place}/${name}/SKILL.md`]: skill(name, `From ${place}. Use it.`),
})
/** Every place of a skill, highest first. */
const places = [
  'mine',
  '.agent/skills',
  '.agents/skills',
  '.claude/skills',
  '.home/.agent/skills',
  '.home/.agents/skills',
  '.home/.claude/skills',
]
const layered = {
  '.agent/config.json': '{"skills": {"roots": ["mine"]}}',
  ...Object.assign({}, ...places.map((place) => at(place))),
  ...at('.home/.agent/skills', 'users-own'),
  ...at('.home/.agent/skills', 'csv-analyzer'),
}

describe('skills list', () => {
  test('the first found wins: the configured roots, the project, the user, the built-in skills', () => {
    using p = project(layered)
    const { json } = p.cli(['skills', 'list', '--json'])
    const { skills, shadowed, diagnostics } = json as Index
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(skills.map(({ name }) => name)).toEqual([...skills.map(({ name }) => name)].sort())
    const of = (name: string) => skills.find((one) => one.name === name)
    expect(of('shared')).toMatchObject({ source: 'project', dir: join(p.dir, 'mine/shared') })
    expect(of('users-own')).toMatchObject({ source: 'user' })
    expect(of('csv-analyzer')).toMatchObject({ source: 'user' })
    expect(of('log-triage')).toMatchObject({ source: 'builtin', dir: join(root, 'skills/log-triage') })
    expect(shadowed.map(({ skill: hidden, by }) => [hidden.dir.replace(`${p.dir}/`, ''), by.source])).toEqual([
      ...places.slice(1).map((place) => [`${place}/shared`, 'project']),
      [join(root, 'skills/csv-analyzer'), 'user'],
    ])
  })

  test('each place is above those behind it', () => {
    for (const [i, place] of places.entries()) {
      using p = project({
        ...Object.assign({}, ...places.slice(i).map((one) => at(one))),
        '.agent/config.json': layered['.agent/config.json'],
      })
      const { skills } = p.cli(['skills', 'list', '--json']).json as Index
      expect(skills.find(({ name }) => name === 'shared')?.dir).toBe(join(p.dir, place, 'shared'))
    }
  })

  test('prints each skill with its source, and what it hides', () => {
    using p = project({ ...at('.agent/skills', 'csv-analyzer'), ...at('.agent/skills', 'own') })
    const { code, out, err } = p.cli(['skills', 'list'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^csv-analyzer +project .*\ncsv-analyzer +builtin +\(shadowed by project\)/m)
    expect(out).toMatch(/^own +project +From \.agent\/skills/m)
    expect(out).toMatch(/\n6 skills, 1 shadowed\n$/)
  })

  test('--source is of one layer', () => {
    using p = project(layered)
    const of = (source: string) =>
      (p.cli(['skills', 'list', '--json', '--source', source]).json as Index).skills.map(({ name }) => name)
    expect(of('project')).toEqual(['shared'])
    expect(of('user')).toEqual(['csv-analyzer', 'shared', 'users-own'])
    expect(of('builtin')).toEqual([
      'changelog-writer',
      'csv-analyzer',
      'json-schema-designer',
      'log-triage',
      'skill-author',
    ])
    const wrong = p.cli(['skills', 'list', '--source', 'home'])
    expect(wrong.code).toBe(2)
    expect(wrong.err).toMatch(/project, user, builtin/)
  })

  test('says of a skill that it is hidden', () => {
    const hidden = (name: string, line: string) => ({
      [`.agent/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: D.\n${line}\n---\nB\n`,
    })
    using p = project({
      ...hidden('from-model', 'disable-model-invocation: true'),
      ...hidden('from-people', 'user-invocable: false'),
    })
    const { out } = p.cli(['skills', 'list', '--source', 'project'])
    expect(out).toMatch(/from-model.*hidden from the model/)
    expect(out).toMatch(/from-people.*hidden from people/)
  })

  test('one bad skill never stops the others', () => {
    using p = project({
      ...at('.agent/skills', 'good'),
      '.agent/skills/bad/SKILL.md': '---\nname: bad\n---\n',
      '.agent/skills/worse/SKILL.md': 'no frontmatter\n',
      '.agent/skills/deep/SKILL.md': `---\nname: deep\nmetadata: ${'{a: '.repeat(5000)}\n---\n`,
    })
    const { code, out, err } = p.cli(['skills', 'list', '--source', 'project'])
    expect(code).toBe(0)
    expect(out).toMatch(/^good +project/m)
    expect(out).toContain('1 skill\n')
    for (const name of ['bad', 'worse', 'deep']) expect(err).toContain(`.agent/skills/${name}/SKILL.md`)
    expect(err).not.toMatch(/\n\s+at /)
  })
})

describe('skills inspect', () => {
  const files = {
    '.agent/skills/one/SKILL.md': `---
name: one
description: Does one thing. Use it for one.
license: MIT
allowed-tools: Bash(git:*) Read
metadata: {version: 1.2.0, author: Somebody}
argument-hint: "[file]"
---

# One

See references/a.md and run scripts/b.py.
`,
    '.agent/skills/one/references/a.md': '# A\n\nWords.\n',
    '.agent/skills/one/scripts/b.py': '#!/usr/bin/env python3\nprint(1)\n',
    ...at('.home/.agent/skills', 'one'),
  }

  test('prints metadata, files, token costs and controls, as text or JSON', () => {
    using p = project(files)
    const { code, out } = p.cli(['skills', 'inspect', 'one'])
    expect(code).toBe(0)
    for (const said of [
      'Does one thing.',
      'project',
      '1.2.0',
      'MIT',
      'Bash(git:*)',
      'references/a.md',
      'scripts/b.py',
    ]) {
      expect(out).toContain(said)
    }
    expect(out).toMatch(/tokens +about \d+ in the index, \d+ in the body/)
    const { json } = p.cli(['skills', 'inspect', 'one', '--json'])
    expect(json).toMatchObject({
      skill: { name: 'one', source: 'project', license: 'MIT', allowedTools: ['Bash(git:*)', 'Read'] },
      tokens: { index: expect.any(Number), body: expect.any(Number) },
      files: [
        { path: 'references/a.md', kind: 'text' },
        { path: 'scripts/b.py', kind: 'script' },
      ],
    })
  })

  test('takes NAME@SOURCE, or a folder', () => {
    using p = project({ ...files, ...at('elsewhere', 'two') })
    const of = (name: string) =>
      (p.cli(['skills', 'inspect', name, '--json']).json as { skill: Listed } | undefined)?.skill
    expect(of('one@user')?.dir).toBe(join(p.dir, '.home/.agent/skills/one'))
    expect(of('csv-analyzer@builtin')?.source).toBe('builtin')
    expect(of('elsewhere/two')?.name).toBe('two')
    expect(of('./elsewhere/two/SKILL.md')?.name).toBe('two')
  })

  test('of a name that is not there is exit 2 with the nearest', () => {
    using p = project(files)
    const near = p.cli(['skills', 'inspect', 'csv-analyser'])
    expect({ code: near.code, out: near.out }).toEqual({ code: 2, out: '' })
    expect(near.err).toContain('csv-analyzer')
    expect(p.cli(['skills', 'inspect', 'one@builtin']).code).toBe(2)
    expect(p.cli(['skills', 'inspect', './nowhere']).code).toBe(2)
  })
})

describe('skills search', () => {
  const described = (name: string, description: string, body = '') => ({
    [`.agent/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`,
  })
  const files = {
    ...described('invoice-checker', 'Checks invoices against orders. Use it for billing.'),
    ...described('meeting-notes', 'Summarises meetings.', 'invoice invoice invoice'),
    ...described('表計算', '売上データの集計。'),
  }
  const names = (json: unknown) => (json as readonly Listed[]).map(({ name }) => name)

  test('ranks by name and description, not by the body; words may be begun, or misspelt', () => {
    using p = project(files)
    const search = (...query: readonly string[]) => names(p.cli(['skills', 'search', ...query, '--json']).json)
    expect(search('invoice')[0]).toBe('invoice-checker')
    expect(search('invoice')).not.toContain('meeting-notes')
    expect(search('billing', 'orders')[0]).toBe('invoice-checker')
    expect(search('summar')[0]).toBe('meeting-notes')
    expect(search('invoise')[0]).toBe('invoice-checker')
    expect(search('売上')[0]).toBe('表計算')
  })

  test('prints rank and score, at most --limit', () => {
    using p = project(files)
    const { code, out } = p.cli(['skills', 'search', 'use', '--limit', '2'])
    expect(code).toBe(0)
    expect(out).toMatch(/^1\. .*\n2\. /m)
    expect(out).not.toMatch(/^3\. /m)
    const none = p.cli(['skills', 'search', 'zzzzzz'])
    expect({ code: none.code, out: none.out }).toEqual({ code: 0, out: 'no skill matches\n' })
  })
})

describe('skills validate', () => {
  const good = { 'skills/good/SKILL.md': skill('good', 'Does good things. Use it when good is wanted.') }
  const codes = (json: unknown, severity: string) =>
    (json as Validation).diagnostics.filter((one) => one.severity === severity).map(({ code }) => code)

  test('of good skills is exit 0, of a broken one among them exit 1 with its place', () => {
    using p = project(good)
    expect(p.cli(['skills', 'validate', 'skills'])).toMatchObject({
      code: 0,
      out: '1 skill checked: no errors\n',
      err: '',
    })
    p.write({ 'skills/Bad_Name/SKILL.md': '---\nname: Bad_Name\ndescription: D.\n---\nB\n' })
    const { code, out, err } = p.cli(['skills', 'validate', 'skills'])
    expect(code).toBe(1)
    expect(out).toBe('2 skills checked: errors\n')
    expect(err).toMatch(
      /error\[skill\/[\w-]+\][\s\S]*--> skills\/Bad_Name\/SKILL\.md:2:\d+\n[\s\S]*> 2 \| name: Bad_Name/,
    )
    expect(err).not.toContain('skills/good')
    expect(p.cli(['skills', 'validate', 'skills/good']).code).toBe(0)
    expect(p.cli(['skills', 'validate', 'skills/good/SKILL.md']).code).toBe(0)
    expect(p.cli(['skills', 'validate', 'skills/good', 'skills/Bad_Name']).code).toBe(1)
  })

  const wrong: readonly (readonly [what: string, frontmatter: string, folder?: string])[] = [
    ['no name', 'description: D.'],
    ['no description', 'name: s'],
    ['an empty description', 'name: s\ndescription: ""'],
    ['a name that is not the folder', 'name: other\ndescription: D.'],
    ['a name of 65 characters', `name: ${'a'.repeat(65)}\ndescription: D.`, 'a'.repeat(65)],
    ['a name in capitals', 'name: S\ndescription: D.', 'S'],
    ['two hyphens', 'name: a--b\ndescription: D.', 'a--b'],
    ['a hyphen at its end', 'name: a-\ndescription: D.', 'a-'],
    ['a description of 1025 characters', `name: s\ndescription: ${'d'.repeat(1025)}`],
    ['a compatibility of 501 characters', `name: s\ndescription: D.\ncompatibility: ${'c'.repeat(501)}`],
    ['a compatibility that is no text', 'name: s\ndescription: D.\ncompatibility: [a]'],
    ['an unknown field', 'name: s\ndescription: D.\nlicence: MIT'],
    ['YAML that can not be read', 'name: [s\ndescription: D.'],
  ]
  test('is strict by the standard', () => {
    using p = project(
      Object.fromEntries(
        wrong.map(([, text, folder = 's'], i) => [`${i}/${folder}/SKILL.md`, `---\n${text}\n---\n\nBody\n`]),
      ),
    )
    const { code, json } = p.cli(['skills', 'validate', '--json', ...wrong.map((_, i) => String(i))])
    expect(code).toBe(1)
    const { skills, ok, diagnostics } = json as Validation
    expect({ skills, ok }).toEqual({ skills: wrong.length, ok: false })
    const blamed = new Set(
      diagnostics.filter(({ severity }) => severity === 'error').map(({ file }) => file.split('/')[0]),
    )
    expect(wrong.flatMap(([what], i) => (blamed.has(String(i)) ? [] : [what]))).toEqual([])
    for (const { code: rule, file, line, column } of diagnostics) {
      expect(rule).toMatch(/^skill\//)
      expect([file, line, column].join(':')).toMatch(/SKILL\.md:\d+:\d+$|SKILL\.md::$/)
    }
  })

  test('--lenient judges as loading does: cosmetic faults are warnings', () => {
    using p = project({
      'a/s/SKILL.md': '---\nname: Other_Name\ndescription: Does things: many of them.\nunknown: 1\n---\n\nBody\n',
      'b/s/SKILL.md': '---\nname: s\n---\n\nBody\n',
    })
    const strict = p.cli(['skills', 'validate', 'a', '--json'])
    expect(strict.code).toBe(1)
    expect(codes(strict.json, 'error').length).toBeGreaterThan(1)
    const lenient = p.cli(['skills', 'validate', 'a', '--lenient', '--json'])
    expect(lenient.code).toBe(0)
    expect(codes(lenient.json, 'error')).toEqual([])
    expect(codes(lenient.json, 'warning').length).toBeGreaterThan(0)
    expect(p.cli(['skills', 'validate', 'b', '--lenient']).code).toBe(1)
  })

  test('warns of what an author is glad to know', () => {
    using p = project({
      'skills/s/SKILL.md': `---\nname: s\ndescription: Something with <b>markup</b>\nmetadata: {a: {b: c}}\n---\n\nSee references/gone.md\n${'line\n'.repeat(600)}`,
      'skills/s/scripts/run.py': 'print(1)\n',
      'skills/s/assets/unused.txt': 'x\n',
    })
    const { code, json, err } = p.cli(['skills', 'validate', 'skills', '--json'])
    expect(code).toBe(0)
    expect(err).toBe('')
    const found = codes(json, 'warning').join(' ')
    for (const what of [
      'body',
      'description',
      'metadata',
      'reference',
      'shebang',
      'unreferenced|unused',
      'angle|markup',
    ]) {
      expect(found).toMatch(new RegExp(what))
    }
  })

  test('of nothing, or of a folder without skills, is an error', () => {
    using p = project({ 'empty/readme.txt': '' })
    expect(p.cli(['skills', 'validate', 'nowhere']).code).not.toBe(0)
    const empty = p.cli(['skills', 'validate', 'empty'])
    expect(empty.code).toBe(1)
    expect(empty.err).toContain('SKILL.md')
  })

  test('the skills that ship are valid, without a warning', () => {
    using p = project()
    const { code, json } = p.cli(['skills', 'validate', join(root, 'skills'), '--json'])
    expect(code).toBe(0)
    expect(json).toMatchObject({ skills: 5, ok: true })
    expect((json as Validation).diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
  })

  test('hostile text is shown without being obeyed', () => {
    using p = project({
      'skills/s/SKILL.md':
        '---\nname: "\\e[31m\\u202e<b>"\ndescription: "::error::x\\e]0;t\\a"\n"k\\e[2J": 1\n---\n\u001b[31m::error::y\n',
    })
    const { code, out, err } = p.cli(['skills', 'validate', 'skills'])
    expect(code).toBe(1)
    expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(out + err).not.toMatch(/^\s*::/m)
    const list = p.cli(['skills', 'inspect', 'skills/s'])
    expect(list.out + list.err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  })
})
