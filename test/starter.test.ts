import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project, root } from './support/cli.ts'

describe('init', () => {
  test('makes a project that passes as generated', () => {
    using here = project()
    expect(here.cli(['init']).out).toContain('Next: skills-eval run evals/')
    const result = here.cli(['run'])
    expect(result.out).toContain('6 cases: 6 passed')
    expect(result.code).toBe(0)
    expect(here.cli(['skills', 'validate', 'skills']).code).toBe(0)
    expect(here.cli(['skills', 'list']).out).toContain('text-stats')
  })

  test('works in a folder that it is given, and says how to go on', () => {
    using here = project()
    expect(here.cli(['init', 'mine']).out).toContain('Next: skills-eval run mine/evals/')
    expect(here.cli(['run', 'mine/evals/']).code).toBe(0)
  })

  test('leaves what is there as it is, and names it', () => {
    using here = project({ 'skills/text-stats/SKILL.md': 'mine' })
    expect(here.cli(['init']).out).toMatch(/is there +skills\/text-stats\/SKILL\.md/)
    expect(readFileSync(join(here.dir, 'skills/text-stats/SKILL.md'), 'utf8')).toBe('mine')
  })
  test('made again, makes nothing', () => {
    using here = project()
    const made = here.cli(['init']).out.match(/^made +(\S+)$/gm)
    const again = here.cli(['init'])
    expect(again.code).toBe(0)
    expect(again.out).not.toMatch(/^made /m)
    expect(again.out.match(/^is there /gm)).toHaveLength(made?.length ?? 0)
  })

  test('its workflow runs this version, and its suite names a schema that the package has', () => {
    using here = project()
    here.cli(['init'])
    const read = (path: string) => readFileSync(join(here.dir, path), 'utf8')
    const version = here.cli(['--version']).out.trim()
    expect(read('.github/workflows/skills-eval.yml')).toContain(`skills-eval@${version} run evals/`)
    const [, schema = ''] = /\$schema=(\S+)/.exec(read('evals/text-stats.eval.yaml')) ?? []
    const inPackage = schema.replace('../node_modules/skills-eval/', '')
    expect(() => readFileSync(join(root, inPackage))).not.toThrow()
  })
})

describe('new', () => {
  test('makes a skill that is valid and a suite for it that passes', () => {
    using here = project()
    expect(here.cli(['new', 'skill', 'invoice-checker']).code).toBe(0)
    expect(here.cli(['new', 'eval', 'invoice-checker']).code).toBe(0)
    expect(here.cli(['skills', 'validate', 'skills/invoice-checker']).code).toBe(0)
    const result = here.cli(['run'])
    expect(result.out).toContain('3 cases: 3 passed')
    expect(result.code).toBe(0)
  })

  test('does not write over a skill', () => {
    using here = project()
    here.cli(['new', 'skill', 'a-skill'])
    here.write({ 'skills/a-skill/SKILL.md': 'mine' })
    expect(here.cli(['new', 'skill', 'a-skill']).code).toBe(1)
    expect(readFileSync(join(here.dir, 'skills/a-skill/SKILL.md'), 'utf8')).toBe('mine')
  })

  test('does not write over a suite, and names it', () => {
    using here = project({ 'evals/a-skill.eval.yaml': 'mine' })
    const { code, out } = here.cli(['new', 'eval', 'a-skill'])
    expect({ code, out }).toEqual({ code: 1, out: 'is there  evals/a-skill.eval.yaml\n' })
    expect(readFileSync(join(here.dir, 'evals/a-skill.eval.yaml'), 'utf8')).toBe('mine')
  })

  test('puts a skill below --root, and its suite finds it there', () => {
    using here = project()
    expect(here.cli(['new', 'skill', 'one', '--root', 'pack/skills']).out).toMatch(
      /^made +one\/SKILL\.md$|pack\/skills/m,
    )
    expect(here.cli(['new', 'eval', 'one', '--root', 'pack/skills']).code).toBe(0)
    expect(here.cli(['run', '-q']).out).toContain('3 cases: 3 passed')
  })

  test('refuses a name that the standard does not allow', () => {
    using here = project()
    const result = here.cli(['new', 'skill', 'Bad_Name'])
    expect(result.code).toBe(2)
    expect(result.err).toContain('lowercase')
  })
})
