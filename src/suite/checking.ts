import type { Files } from '../core/ports.ts'
import type { CaseIds } from './case-ids.ts'
import type { Disk } from './disk-findings.ts'
import type { ExpressionProblems } from './expression-problems.ts'
import type { SuiteFinding } from './finding.ts'

/** The text that a suite was read from: `file` is what diagnostics call it, `dir` the absolute folder of it. */
export type SuiteSource = { readonly text: string; readonly file: string; readonly dir: string }

/** `projectDir` is absolute; nothing that a suite names may lie outside of it. */
export type CheckEnv = {
  readonly files: Files
  readonly projectDir: string
  /** Why nobody could judge rubrics on this model profile, or on the usual one; absent: that is not asked. */
  judgeProblem?(profile: string | undefined): { readonly message: string; readonly hint: string } | undefined
}

/** What the checks of one suite share. */
export type Checking = {
  readonly source: SuiteSource
  readonly env: CheckEnv
  readonly disk: Disk
  readonly ids: CaseIds
  readonly problems: ExpressionProblems
  report(finding: SuiteFinding): void
}
