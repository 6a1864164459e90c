import type { Comparison } from '../schema/compare.ts'
import { changeRows, countsText, gateRows, numberRows, verdictLines, verdictWords } from './compare-tables.ts'
import { foreignLine } from './foreign-text.ts'
import { rowsAsMarkdown } from './markdown-rows.ts'
import { codeSpan } from './markdown-text.ts'

const MAX_CASES = 200

/** The comparison for a pull request. Names of others stand in code spans only. */
export const compareMarkdown = (comparison: Comparison): string => {
  const { base, head, verdict } = comparison
  return [
    `# Compared: ${verdictWords[verdict]}\n`,
    `\n${verdictLines(comparison).join('  \n')}\n`,
    `\n${codeSpan(foreignLine(base.id))} → ${codeSpan(foreignLine(head.id))}: ${countsText(comparison)}\n`,
    rowsAsMarkdown('Cases', changeRows(comparison, MAX_CASES)),
    rowsAsMarkdown('Numbers', numberRows(comparison)),
    rowsAsMarkdown('Gates', gateRows(comparison)),
  ].join('')
}
