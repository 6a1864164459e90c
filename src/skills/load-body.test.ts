import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import type { Skill } from '../core/skill.ts'
import { loadBody } from './load-body.ts'

const skill = { name: 'x', dir: '/s/x', file: '/s/x/SKILL.md' } as Skill
const head = '---\nname: x\ndescription: y\n---\n'
const load = (
  body: string | Uint8Array,
  more: Parameters<typeof memoryFiles>[0] = {},
  options: Partial<Parameters<typeof loadBody>[2]> = {},
) => {
  const content = typeof body === 'string' ? head + body : body
  return loadBody(skill, memoryFiles({ '/s/x/SKILL.md': content, ...more }), {
    maxBodyLines: 500,
    overLong: 'warn',
    ...options,
  })
}

describe('loadBody', () => {
  test('strips the frontmatter and blank lines at both ends', () => {
    expect(load('\n \n# X\n\nDo é.\n\n')).toEqual({
      text: '# X\n\nDo é.',
      bytes: 11,
      lines: 3,
      resources: [],
      resourcesOmitted: 0,
      warnings: [],
    })
  })

  test('keeps the indentation of the first line', () => {
    expect(load('\n    code\n')).toMatchObject({ text: '    code' })
  })

  test('normalises line ends', () => {
    const crlf = `${head}a\n`.replaceAll('\n', '\r\n')
    expect(load(new TextEncoder().encode(`${crlf}b\r\nc\rd\u2028e`))).toMatchObject({
      text: 'a\nb\nc\nd\ne',
      warnings: [],
    })
  })

  test('leaves out what nobody sees, and says so', () => {
    expect(load('a\u200bb\u202ec\u{e0041}\ufeffd')).toMatchObject({
      text: 'abcd',
      warnings: ['4 invisible characters were left out of the instructions.'],
    })
  })

  test('warns of a long body, or refuses it', () => {
    const body = Array.from({ length: 501 }, (_, i) => `line ${i}`).join('\n')
    expect(load(body)).toMatchObject({
      lines: 501,
      warnings: ['The instructions of x have 501 lines, more than 500.'],
    })
    expect(load(body, {}, { overLong: 'refuse' })).toEqual({
      problem: 'The instructions of x have 501 lines, more than 500. They are not loaded.',
    })
    expect(load(body, {}, { overLong: 'refuse', maxBodyLines: 501 })).toMatchObject({ lines: 501, warnings: [] })
  })

  test('an empty body is told', () => {
    expect(load('\n')).toMatchObject({ text: '', lines: 0, warnings: ['The skill x has no instructions.'] })
  })

  test('says why a file that changed can not be read', () => {
    expect(load(new Uint8Array([0xff]))).toEqual({
      problem: "The instructions of x can't be read: /s/x/SKILL.md is not UTF-8 text.",
    })
    expect(load(new TextEncoder().encode('# Gone'))).toEqual({
      problem: "The instructions of x can't be read: its SKILL.md has no frontmatter any more.",
    })
    expect(loadBody(skill, memoryFiles({ '/s/y': '' }), { maxBodyLines: 1, overLong: 'warn' })).toEqual({
      problem: "The instructions of x can't be read: /s/x/SKILL.md does not exist.",
    })
  })
})

describe('its resources', () => {
  test('are names only, sorted, without what is none of an agent’s business', () => {
    const hidden = [
      'evals/a.eval.yaml',
      'Evals/b',
      '.git/config',
      '.env',
      'a/.hidden',
      'node_modules/x/y.js',
      'manifest.json',
      'manifest.sig',
      'scripts/__pycache__/x.pyc',
    ]
    const shown = [
      'LICENSE',
      'assets/manifest.json',
      'references/a.md',
      'references/b/c.md',
      'references-old.md',
      'scripts/evals/x.py',
    ]
    const more = Object.fromEntries([...hidden, ...shown].map((path) => [`/s/x/${path}`, 'x']))
    expect(load('Do.', more)).toMatchObject({
      resources: [
        'LICENSE',
        'assets/manifest.json',
        'references-old.md',
        'references/a.md',
        'references/b/c.md',
        'scripts/evals/x.py',
      ],
      resourcesOmitted: 0,
    })
  })

  test('are at most 100, the rest is counted', () => {
    const more = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`/s/x/assets/${1000 + i}.txt`, 'x']))
    const body = load('Do.', more)
    expect(body).toMatchObject({ resourcesOmitted: 30 })
    expect('resources' in body && body.resources.at(-1)).toBe('assets/1099.txt')
  })

  test('are not outside the skill', () => {
    const more = {
      '/s/x/in.md': { link: 'references/a.md' },
      '/s/x/out.md': { link: '/etc/passwd' },
      '/s/x/eval.md': { link: 'evals/a.md' },
      '/s/x/dir': { link: '/etc' },
      '/s/x/loop': { link: '.' },
      '/s/x/references/a.md': 'a',
      '/s/x/evals/a.md': 'a',
      '/etc/passwd': 'root',
    }
    expect(load('Do.', more)).toMatchObject({ resources: ['in.md', 'references/a.md'] })
  })
})
