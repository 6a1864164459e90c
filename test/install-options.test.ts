import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project, skill } from './support/cli.ts'

test('install --require-manifest refuses a folder that has none, which is installed without it', () => {
  using p = project({ 'package.json': '{}', 'from/pdf/SKILL.md': skill('pdf', 'Fill PDF forms. Use for forms.') })
  const place = join(p.dir, '.agent/skills/pdf/SKILL.md')
  const install = ['skills', 'install', 'from/pdf']
  const refused = p.cli([...install, '--require-manifest'])
  expect(refused.code, refused.out + refused.err).not.toBe(0)
  expect(refused.err).toContain('no manifest')
  expect(existsSync(place)).toBe(false)
  const done = p.cli(install)
  expect(done.code, done.out + done.err).toBe(0)
  expect(existsSync(place)).toBe(true)
})
