const text = String.raw`(?:"(?:[^"\\$\x60{]|\\.|\$(?!\()|\{[^"(){}]{0,80}\})*"|'(?:[^'\\{]|\\.|\{[^'(){}]{0,80}\})*')`

const printed = new RegExp(
  String.raw`^\s{0,80}(?:(?:echo|printf|err(?:or)?|warn(?:ing)?|die|info|log|fail|note|print|say|msg|fatal|Write-(?:Host|Output|Warning|Error))\s{1,10}(?:-\w{1,3}\s{1,3})?${text}\s{0,5}(?:>&2)?|(?:print|puts|logg(?:er|ing)\.\w{1,12}|console\.\w{1,12}|sys\.std(?:out|err)\.write|click\.echo)\s?\(\s{0,5}f?${text}\s{0,5}(?:,\s{0,3}file\s?=\s?sys\.stderr\s?)?\))\s{0,5};?\s{0,20}$`,
)

/** Whether a line of code does nothing but print one text: what stands in that is said, not done. */
export const isPrinted = (line: string): boolean =>
  line.length < 1000 && /^\s{0,80}[a-zA-Z]/.test(line) && printed.test(line)
