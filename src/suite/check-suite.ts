import type { Diagnostic } from '../core/diagnostic.ts'
import { caseIds } from './case-ids.ts'
import type { CheckEnv, Checking, SuiteSource } from './checking.ts'
import { suiteDisk } from './disk-findings.ts'
import { rowFiller } from './each-case.ts'
import { expressionProblems } from './expression-problems.ts'
import type { SuiteFinding } from './finding.ts'
import { judgeFinding } from './judge-finding.ts'
import type { JsonRecord } from './record.ts'
import { namesFilesByRow, referenceFindings } from './reference-findings.ts'
import type { EachCase, Row, Suite } from './suite.ts'

/**
 * Checks what a suite says about other files: that what it names exists, lies inside the project and can be read as what
 * it is for, and that every row of its row files makes a valid case with an id of its own. Rows of .jsonl files are not
 * held. The suite must be one that `parseSuite` made of the same text; that text is read again only where there is
 * something to tell.
 */
export const checkSuite = async (suite: Suite, source: SuiteSource, env: CheckEnv): Promise<Diagnostic[]> => {
  const found: SuiteFinding[] = []
  const problems = expressionProblems()
  const checking: Checking = {
    source,
    env,
    problems,
    disk: suiteDisk({ ...env, dir: source.dir }, problems),
    ids: caseIds(),
    report: (finding) => {
      found.push(finding)
    },
  }
  checkSkillRoots(suite, checking)
  const unjudged = judgeFinding(suite, env)
  if (unjudged !== undefined) checking.report(unjudged)
  await checkCases(suite, checking)
  const ofRowFiles = hasRowFiles(suite) ? await checkRowFiles(suite, checking) : []
  return [...(await located(found, source)), ...ofRowFiles]
}

const checkSkillRoots = ({ skills = [] }: Suite, { disk, report }: Checking): void => {
  for (const [i, root] of skills.entries()) {
    const problem = disk.skillRootProblem(root)
    if (problem !== undefined) report({ finding: { path: ['skills', i], at: 'value', ...problem } })
  }
}

const checkCases = async ({ cases }: Suite, checking: Checking): Promise<void> => {
  for (const [at, one] of cases.entries()) {
    if (one.kind === 'case') await checkReferences(one.case, at, checking)
    else if (!namesFilesByRow(one)) await checkReferences(one.template, at, checking)
    else if (typeof one.rows !== 'string') await checkInlineRows(one, at, one.rows, checking)
  }
}

const checkReferences = async (merged: JsonRecord, at: number, { disk, report }: Checking): Promise<void> => {
  for (const finding of await referenceFindings(merged, disk)) report({ at, finding })
}

const checkInlineRows = async (each: EachCase, at: number, rows: readonly Row[], checking: Checking): Promise<void> => {
  const filler = rowFiller(each)
  for (const [i, row] of rows.entries()) {
    for (const finding of await referenceFindings(filler.fill(row, i + 1), checking.disk)) {
      checking.report({ at, finding: { ...finding, path: ['each', i], message: `row ${i + 1}: ${finding.message}` } })
    }
  }
}

const hasRowFiles = ({ cases }: Suite): boolean =>
  cases.some((one) => one.kind === 'each' && typeof one.rows === 'string')

// What validates rows is loaded only where there are row files: most suites have none.
const checkRowFiles = async (suite: Suite, checking: Checking): Promise<Diagnostic[]> => {
  const { rowFileChecks } = await import('./check-row-file.ts')
  rememberIds(suite, checking)
  const checks = rowFileChecks(checking)
  for (const [at, one] of suite.cases.entries()) {
    if (one.kind === 'each' && typeof one.rows === 'string') await checks.check(one, at, one.rows)
  }
  return checks.toDiagnostics()
}

/** The ids that rows of files must not repeat. They are known to differ from each other. */
const rememberIds = ({ cases }: Suite, { ids, source: { file } }: Checking): void => {
  for (const one of cases) {
    if (one.kind === 'case') ids.add(one.case.id, { file, line: one.case.line })
    else if (typeof one.rows !== 'string') {
      const filler = rowFiller({ id: one.id, template: {}, texts: [] })
      for (const [i, row] of one.rows.entries()) ids.add(String(filler.fill(row, i + 1).id), { file, line: one.line })
    }
  }
}

const located = async (found: readonly SuiteFinding[], source: SuiteSource): Promise<Diagnostic[]> => {
  if (found.length === 0) return []
  const { locateFindings } = await import('./locate-findings.ts')
  return locateFindings(found, source)
}
