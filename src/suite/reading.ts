import type { CaseIds } from './case-ids.ts'
import type { ExpressionProblems } from './expression-problems.ts'
import type { Finding } from './finding.ts'
import type { Path } from './path.ts'
import type { JsonRecord } from './record.ts'

/** What reading a suite needs of the text that it was parsed from. Paths start at the suite. */
export type SuiteText = {
  readonly file: string
  report(finding: Finding): void
  /** Whether further errors are only counted. */
  isFull(): boolean
  skip(count: number): void
  hasErrors(): boolean
  lineOf(path: Path): number
}

/** What all cases of one suite share while it is read. */
export type Reading = SuiteText & {
  /** `defaults`, without what is wrong in itself: that is told once. */
  readonly defaults: JsonRecord
  readonly ids: CaseIds
  readonly problems: ExpressionProblems
}
