import { cruise } from 'dependency-cruiser'
import { describe, expect, test } from 'vitest'
import rules from '../.dependency-cruiser.mjs'

describe('the architecture', () => {
  test('holds its import rules over every module of src/', async () => {
    const { output } = await cruise(
      ['src'],
      { ruleSet: { forbidden: rules.forbidden }, validate: true, ...rules.options } as never,
      undefined,
      {
        tsConfig: (await import('typescript')).default.parseConfigFileTextToJson('tsconfig.json', '{}').config,
      } as never,
    )
    if (typeof output === 'string') throw new Error(output)
    const broken = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
    expect(broken).toEqual([])
    // With a TypeScript it does not know, dependency-cruiser sees nothing and reports success.
    expect(output.summary.totalCruised).toBeGreaterThan(150)
    expect(output.summary.totalDependenciesCruised).toBeGreaterThan(400)
  })
})
