import { cruise, type ICruiseOptions, type IForbiddenRuleType } from 'dependency-cruiser'
import { describe, expect, test } from 'vitest'

type Rules = { readonly forbidden: IForbiddenRuleType[]; readonly options: ICruiseOptions }

describe('the architecture', () => {
  test('holds its import rules over every module of src/', async () => {
    const rulesFile: string = '../.dependency-cruiser.mjs'
    const rules = ((await import(rulesFile)) as { default: Rules }).default
    const { output } = await cruise(['src'], {
      ...rules.options,
      ruleSet: { forbidden: rules.forbidden },
      validate: true,
    })
    if (typeof output === 'string') throw new Error(output)
    const broken = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
    expect(broken).toEqual([])
    // With a TypeScript that it does not know, dependency-cruiser sees nothing and reports success.
    expect(output.summary.totalCruised).toBeGreaterThan(200)
    expect(output.summary.totalDependenciesCruised ?? 0).toBeGreaterThan(700)
  })
})
