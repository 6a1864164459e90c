import { checksInMatcher, checksOf, type PlacedCheck, patternsOf } from './case-checks.ts'
import type { ExpressionProblems } from './expression-problems.ts'
import { below, type Finding } from './finding.ts'
import { judgeRegexes, mockRegexes } from './mock-findings.ts'
import type { Path } from './path.ts'
import { isRecord, type JsonRecord, recordOr } from './record.ts'

/** Expressions of a case that do not compile: regular expressions, JSONPaths, inline JSON Schemas, wherever they may stand. */
export const expressionFindings = (merged: JsonRecord, problems: ExpressionProblems): Finding[] => {
  const checks = [...expectedChecks(recordOr(merged.expected)), ...doubleChecks(recordOr(merged.tools))]
  const found = checks.flatMap(({ path, check }) =>
    checkProblems(check, problems).map((finding) => below(path, finding)),
  )
  const whens = mockRegexes(merged.mock).flatMap(({ path, source }) =>
    regexFinding(source, ['mock', ...path], problems),
  )
  const ofJudge = judgeRegexes(merged.mock_judge).flatMap(({ path, source }) =>
    regexFinding(source, ['mock_judge', ...path], problems),
  )
  return [...found, ...whens, ...ofJudge, ...inputSchemaFindings(recordOr(merged.tools), problems)]
}

const expectedChecks = (expected: JsonRecord): PlacedCheck[] => {
  const inPatterns = patternsOf(expected).flatMap(({ path, pattern }) => checksInMatcher(pattern, path))
  return [...checksOf(expected), ...inPatterns].map(({ path, check }) => ({ path: ['expected', ...path], check }))
}

const doubleChecks = (tools: JsonRecord): PlacedCheck[] =>
  Object.entries(tools).flatMap(([name, double]) => {
    const clauses = isRecord(double) && Array.isArray(double.when) ? double.when : []
    return clauses.flatMap((clause, i) =>
      isRecord(clause) ? checksInMatcher(clause.input, ['tools', name, 'when', i, 'input']) : [],
    )
  })

const checkProblems = (check: JsonRecord, problems: ExpressionProblems): Finding[] => {
  const { regex, json_schema: schema, json_path: jsonPath } = check
  const found: Finding[] = []
  if (typeof regex === 'string') found.push(...regexFinding(regex, ['regex'], problems))
  if (isRecord(schema)) found.push(...schemaFinding(schema, ['json_schema'], problems))
  if (isRecord(jsonPath) && typeof jsonPath.path === 'string') {
    const problem = problems.of({ kind: 'json_path', source: jsonPath.path })
    if (problem !== undefined) found.push(broken(['json_path', 'path'], 'json-path', `not a JSONPath: ${problem}`))
  }
  return found
}

const inputSchemaFindings = (tools: JsonRecord, problems: ExpressionProblems): Finding[] =>
  Object.entries(tools).flatMap(([name, double]) => {
    if (!isRecord(double) || !isRecord(double.input_schema)) return []
    return schemaFinding(double.input_schema, ['tools', name, 'input_schema'], problems)
  })

const regexFinding = (source: string, path: Path, problems: ExpressionProblems): Finding[] => {
  const problem = problems.of({ kind: 'regex', source })
  return problem === undefined ? [] : [broken(path, 'regex', problem)]
}

const schemaFinding = (source: unknown, path: Path, problems: ExpressionProblems): Finding[] => {
  const problem = problems.of({ kind: 'json_schema', source })
  return problem === undefined ? [] : [broken(path, 'json-schema', `not a JSON Schema: ${problem}`)]
}

const broken = (path: Path, code: string, message: string): Finding => ({ path, at: 'value', code, message })

/** Checks that no text could pass, or that say two things at once. Paths start at the case. */
export const contradictionFindings = (merged: JsonRecord): Finding[] => {
  const expected = recordOr(merged.expected)
  const found = [...skillFindings(expected.skills), ...countFindings(expected.actions)]
  for (const { path, check } of checksOf(expected)) {
    if (isRecord(check.length)) found.push(...rangeFinding(check.length, [...path, 'length']))
  }
  return found.map((finding) => below(['expected'], finding))
}

const skillFindings = (skills: unknown): Finding[] => {
  if (!isRecord(skills) || !Array.isArray(skills.includes) || !Array.isArray(skills.excludes)) return []
  const included = new Set(skills.includes)
  return skills.excludes.flatMap((skill: unknown, i) => {
    if (typeof skill !== 'string' || !included.has(skill)) return []
    const message = `\`${skill}\` is in \`includes\` and in \`excludes\``
    return [{ path: ['skills', 'excludes', i], at: 'value', code: 'contradiction', message }]
  })
}

const countFindings = (actions: unknown): Finding[] => {
  const counts = isRecord(actions) && Array.isArray(actions.count) ? actions.count : []
  return counts.flatMap((count: unknown, i) => {
    if (!isRecord(count)) return []
    const path = ['actions', 'count', i]
    const { min, max, equals } = count
    const isOutside =
      typeof equals === 'number' &&
      ((typeof min === 'number' && equals < min) || (typeof max === 'number' && equals > max))
    if (!isOutside) return rangeFinding(count, path)
    const message = `\`equals: ${equals}\` is outside of \`min\` and \`max\`: no count holds`
    return [{ path: [...path, 'equals'], at: 'value', code: 'contradiction', message }]
  })
}

const rangeFinding = (range: JsonRecord, path: Path): Finding[] => {
  const { min, max } = range
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return []
  const message = `\`min\` (${min}) is more than \`max\` (${max}): nothing can hold`
  return [{ path: [...path, 'min'], at: 'value', code: 'contradiction', message }]
}
