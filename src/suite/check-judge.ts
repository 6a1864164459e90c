import type { Diagnostic } from '../core/diagnostic.ts'
import { parseYaml } from '../lib/yaml.ts'
import type { CheckEnv, SuiteSource } from './checking.ts'
import { judgeNameFinding } from './judge-finding.ts'
import { MAX_SUITE_BYTES, MAX_SUITE_DEPTH } from './limits.ts'
import { locateFindings } from './locate-findings.ts'
import { recordOr } from './record.ts'

/** What is wrong with the `judge` of a suite that has other mistakes, so that it is told beside them. */
export const checkJudge = async (
  source: SuiteSource,
  env: Pick<CheckEnv, 'judgeProblem'>,
): Promise<readonly Diagnostic[]> => {
  const { text, file } = source
  const yaml = parseYaml(text, { file, maxBytes: MAX_SUITE_BYTES, maxDepth: MAX_SUITE_DEPTH, codePrefix: 'suite' })
  const { judge } = recordOr(yaml.ok ? yaml.value : undefined)
  const found = typeof judge === 'string' && judge !== '' ? judgeNameFinding(judge, env) : undefined
  return found === undefined ? [] : locateFindings([found], source)
}
