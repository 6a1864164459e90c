/** A script that instructions tell to run by its path, with no interpreter in front, and where it stands. */
export type DirectRun = { readonly path: string; readonly offset: number }

/**
 * The files below `scripts/` that a Markdown text tells to run as they are (`./scripts/x`, `scripts/x a b`), each once:
 * in fenced code where a command begins, in inline code with arguments or a leading `./`, or behind a word like
 * `run`. Paths that are only mentioned are not among them.
 */
export const findDirectRuns = (markdown: string): readonly DirectRun[] => {
  const found = new Map<string, DirectRun>()
  const add = (path: string | undefined, offset: number): void => {
    if (path !== undefined && !found.has(path)) found.set(path, { path, offset })
  }
  let fence: string | undefined
  let start = 0
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined
    else if (fence === undefined)
      for (const match of line.matchAll(inText)) add(match[1] ?? match[2] ?? match[3], start + match.index)
    else for (const match of line.slice(0, maxLine).matchAll(inCode)) add(match[1], start + match.index)
    start += line.length + 1
  }
  return [...found.values()]
}

const maxLine = 2000
const folder = String.raw`(?:\$\{CLAUDE_SKILL_DIR\}/)?`
const path = String.raw`(scripts/[\p{L}\p{N}_./-]{1,300}(?<![./-]))(?![\p{L}\p{N}_/*<{$(-])`

/** At the start of a line, behind a prompt, an operator or settings of the environment. */
const inCode = new RegExp(
  String.raw`(?:^|&&|[|;(])[ \t]*(?:[$%>][ \t]+)?(?:[A-Z_][A-Z0-9_]{0,40}=[^\s"']{0,100}[ \t]+)?"?${folder}(?:\./)?${path}`,
  'gu',
)

const inText = new RegExp(
  [
    // `./scripts/x`
    String.raw`\x60${folder}\./${path}`,
    // `scripts/x a b`
    String.raw`\x60${folder}${path}[ \t]+[^\x60\s]`,
    // Run scripts/x
    String.raw`\b(?:[Rr]un|[Ee]xecute|[Ii]nvoke)[ \t]+\x60?${folder}(?:\./)?${path}`,
  ].join('|'),
  'gu',
)
