export type Mention = {
  /** As written, without anchor and query. */
  readonly path: string
  /** Where it stands in the text. */
  readonly offset: number
}

/**
 * The files that a Markdown text names, each once, in order: targets of relative links, and paths like
 * `references/x.md` or `scripts/y.py` in text and code. Addresses, anchors, absolute paths, patterns and paths with a
 * placeholder in them are not among them.
 */
export const findMentions = (markdown: string): readonly Mention[] => {
  const mentions = new Map<string, Mention>()
  const add = (path: string, offset: number): void => {
    if (path !== '' && !mentions.has(path)) mentions.set(path, { path, offset })
  }
  for (const match of withoutFences(markdown).matchAll(linkPattern)) {
    const target = match[1] ?? match[2] ?? ''
    const file = linkedFile(target)
    if (file !== undefined) add(file, match.index + match[0].indexOf(target))
  }
  for (const match of markdown.matchAll(pathPattern)) {
    const [path] = match
    const after = markdown[match.index + path.length] ?? ''
    if (!placeholder.test(after) && looksLikeFile.test(path)) add(path.replace(/^\.\//, ''), match.index)
  }
  return [...mentions.values()].sort((a, b) => a.offset - b.offset)
}

const linkPattern = /\]\([ \t]*(?:<([^<>\n]{1,500})>|([^\s()<>]{1,500}))(?:[ \t][^()\n]{0,200})?\)/g

// The folders that the standard names; whatever stands before them belongs to another path.
const pathPattern =
  /(?<![\p{L}\p{N}_./@:~\\}>$-])(?:\.\/)?(?:scripts|references?|assets)\/[\p{L}\p{N}_./-]{1,300}(?<![./-])/gu
const placeholder = /[<{$*[(]/
const looksLikeFile = /\.[A-Za-z0-9]{1,8}$/

/** Links in code are examples: fenced blocks are blanked, offsets stay. */
const withoutFences = (markdown: string): string =>
  markdown.includes('```')
    ? markdown.replace(/^```[\s\S]*?(?:^```|$(?![\s\S]))/gm, (block) => ' '.repeat(block.length))
    : markdown

const linkedFile = (target: string): string | undefined => {
  if (/^(?:[a-z][a-z0-9+.-]*:|[#/?])/i.test(target) || /[<{$*]/.test(target)) return undefined
  const path = decoded(target.replace(/[#?].*$/s, '')).replace(/^\.\//, '')
  return looksLikeFile.test(path) || path.includes('/') ? path : undefined
}

const decoded = (target: string): string => {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
