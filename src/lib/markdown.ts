import { boundedCache } from './bounded-cache.ts'

export type Heading = {
  readonly level: number
  /** What a reader sees: without marks and links. */
  readonly text: string
  /** From 0. */
  readonly line: number
}

export type Markdown = {
  /** The headings of the text itself in order; those in code, comments, quotes and lists are none of its own. */
  headings(text: string): readonly Heading[]
  /**
   * The part of the text below a heading: its line and all to the next heading of its level or above. The heading is given
   * as its text, with its level (`## Revenue`), or as the fragment a link would use (`#revenue`); the same in another
   * case counts when there is no exact one. Undefined: there is no such heading.
   */
  section(text: string, heading: string): string | undefined
}

/** Loads a CommonMark parser that finds headings. */
export const loadMarkdown = async (): Promise<Markdown> => {
  const { default: MarkdownIt } = await import('markdown-it')
  // HTML is read, so that a heading inside a comment is none; nothing is ever rendered.
  const parser = new MarkdownIt('commonmark', { html: true })
  const found = boundedCache<string, readonly Heading[]>(8)

  const findHeadings = (text: string): readonly Heading[] => {
    const environment = {}
    const tokens: ReturnType<typeof parser.parse> = []
    parser.block.parse(text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'), parser, environment, tokens)
    return tokens.flatMap((token, index) => {
      if (token.type !== 'heading_open' || token.level > 0) return []
      const [inline] = parser.parseInline(tokens[index + 1]?.content ?? '', environment)
      const shown = (inline?.children ?? []).map((child) => (child.type.endsWith('break') ? ' ' : child.content))
      return [{ level: Number(token.tag.slice(1)), text: shown.join('').trim(), line: token.map?.[0] ?? 0 }]
    })
  }
  const headings = (text: string): readonly Heading[] => found.get(text, () => findHeadings(text))

  return {
    headings,
    section(text, heading) {
      const all = headings(text)
      const index = indexOfHeading(all, heading.trim())
      const start = all[index]
      if (start === undefined) return undefined
      const end = all.slice(index + 1).find(({ level }) => level <= start.level)
      return linesBetween(text, start.line, end?.line)
    },
  }
}

const indexOfHeading = (headings: readonly Heading[], wanted: string): number => {
  const [, marks, name] = /^(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?$/.exec(wanted) ?? []
  const level = marks?.length
  const text = name ?? wanted
  const candidates: ((heading: Heading, index: number) => boolean)[] = [
    (heading) => heading.text === text,
    (heading) => heading.text.toLowerCase() === text.toLowerCase(),
  ]
  if (level === undefined) {
    const slugs = slugsOf(headings)
    const slug = wanted.replace(/^#/, '').toLowerCase()
    candidates.push((_, index) => slugs[index] === slug)
  }
  for (const isWanted of candidates) {
    const index = headings.findIndex((each, at) => (level === undefined || each.level === level) && isWanted(each, at))
    if (index !== -1) return index
  }
  return -1
}

// As GitHub makes them: no punctuation, hyphens for blanks, a number after what is there already.
const slugsOf = (headings: readonly Heading[]): readonly string[] => {
  const times = new Map<string, number>()
  return headings.map(({ text }) => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    const before = times.get(slug) ?? 0
    times.set(slug, before + 1)
    return before === 0 ? slug : `${slug}-${before}`
  })
}

const linesBetween = (text: string, from: number, to: number | undefined): string => {
  const starts = [0]
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length)
  return text.slice(starts[from], to === undefined ? undefined : starts[to])
}
