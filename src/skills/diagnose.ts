import type { Diagnostic } from '../core/diagnostic.ts'
import { type SkillMode, type SkillRuleId, skillRule } from './rules.ts'

export type Place = { readonly line: number; readonly column: number }

/** Collects what is wrong in one file, each finding with its rule's severity and fix. */
export type SkillLog = {
  readonly file: string
  readonly mode: SkillMode
  readonly diagnostics: readonly Diagnostic[]
  /** `place` is only asked for when the rule counts; `file` where it is about another file. */
  report(rule: SkillRuleId, message: string, details?: ReportDetails): void
  add(diagnostics: readonly Diagnostic[]): void
}

export type ReportDetails = {
  readonly place?: (() => Place) | undefined
  readonly hint?: string | undefined
  readonly file?: string
}

/** An empty log of `file`. */
export const skillLog = (file: string, mode: SkillMode): SkillLog => {
  const diagnostics: Diagnostic[] = []
  return {
    file,
    mode,
    diagnostics,
    report: (rule, message, details = {}) => {
      const { [mode]: severity, hint } = skillRule(rule)
      if (severity === 'off') return
      diagnostics.push({
        severity,
        code: `skill/${rule}`,
        message,
        file: details.file ?? file,
        ...details.place?.(),
        hint: details.hint ?? hint,
      })
    },
    add: (more) => {
      diagnostics.push(...more)
    },
  }
}
