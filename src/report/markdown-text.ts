/** A line as a Markdown code span: in one, no markup, link, image, HTML, mention or address is seen. */
export const codeSpan = (text: string): string => {
  if (text.trim() === '') return '` `'
  const fence = '`'.repeat(longestRun(text) + 1)
  // A space at each end is taken off again, and keeps a backtick there from joining the fence.
  const pad = text.startsWith('`') || text.endsWith('`') || (text.startsWith(' ') && text.endsWith(' ')) ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

/** The same in a table's cell, where a bar ends even a code span, whatever stands before it: it is shown broken. */
export const codeCell = (text: string): string => codeSpan(text.replaceAll('|', '¦'))

/** Lines as a fenced code block that none of them can end. */
export const codeBlock = (lines: string): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1))
  return `${fence}text\n${lines}\n${fence}\n`
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
