import { Document, isCollection, isMap, isNode, isPair, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml'

/** An item to be put at the end of a list; comments by the path of what they stand behind, as `expected.skills`. */
export type YamlItem = {
  readonly value: unknown
  /** Stands above the item, line by line. */
  readonly above: string
  readonly behind: Readonly<Record<string, string>>
}

/**
 * Puts an item at the end of the list under `key` of a YAML map, and changes nothing else: what stood there stays byte
 * for byte. Makes the list where there is none. Returns why it can't be done, as the end of a sentence, for a list in
 * brackets that is not empty. The text must have been read as a valid map before.
 */
export const appendToList = (
  text: string,
  key: string,
  item: YamlItem,
): { readonly text: string } | { readonly problem: string } => {
  const eol = /\r\n/.test(text) ? '\r\n' : '\n'
  const document = parseDocument(text, { stringKeys: true, uniqueKeys: false, logLevel: 'silent' })
  const root = document.contents
  const put = (at: number, lines: string): { readonly text: string } => {
    const before = text.slice(0, at)
    const gap = before === '' || before.endsWith('\n') ? '' : eol
    return { text: `${before}${gap}${lines.replaceAll('\n', eol)}${text.slice(at)}` }
  }
  if (root === null) return put(text.length, `${key}:\n${itemText(item, 2)}`)
  if (!isMap(root)) return { problem: 'it is no map' }
  if (root.flow) return { problem: 'the whole file is written in braces' }
  const pair = root.items.find((one) => isPair(one) && isScalar(one.key) && one.key.value === key)
  const list = pair?.value
  if (pair === undefined) return put(endOfBlock(text, endOf(root), 0), `${key}:\n${itemText(item, 2)}`)
  if (isSeq(list) && !list.flow && list.items.length > 0) {
    const start = list.range?.[0] ?? 0
    const indent = start - (text.lastIndexOf('\n', start - 1) + 1)
    return put(endOfBlock(text, endOf(list), indent), itemText(item, indent))
  }
  const isEmpty = list === null || (isSeq(list) && list.items.length === 0) || (isScalar(list) && list.value === null)
  if (!isEmpty) return { problem: `\`${key}\` is written in brackets: write it as a list of lines, each with a dash` }
  const keyEnd = (pair.key as Node).range?.[1] ?? 0
  const colon = text.indexOf(':', keyEnd) + 1
  const end = Math.max(colon, isCollection(list) ? (list.range?.[1] ?? colon) : colon)
  const rest = text.slice(end)
  const line = /^[^\S\r\n]*(#[^\r\n]*)?(\r?\n|$)/.exec(rest)?.[0] ?? ''
  const comment = line.trim() === '' ? '' : ` ${line.trim()}`
  const lines = `${comment}\n${itemText(item, 2)}`.replaceAll('\n', eol)
  return { text: `${text.slice(0, colon)}${lines}${text.slice(end + line.length)}` }
}

/** Where the last text in a node ends: what follows it on its line, and comments, come after. */
const endOf = (node: Node): number => {
  if (!isCollection(node) || node.flow) return node.range?.[1] ?? 0
  const last: unknown = node.items.at(-1)
  const inner = isPair(last) ? (last.value ?? last.key) : last
  return isNode(inner) ? endOf(inner) : (node.range?.[1] ?? 0)
}

/** The start of the first line behind a block that is no comment of it: one that is indented as the block is. */
const endOfBlock = (text: string, valueEnd: number, indent: number): number => {
  let at = valueEnd > 0 && text[valueEnd - 1] === '\n' ? valueEnd : nextLine(text, valueEnd)
  let end = at
  while (at < text.length) {
    const next = nextLine(text, at)
    const line = text.slice(at, next)
    const isComment = /^\s*#/.test(line)
    if (line.trim() !== '' && !(isComment && line.search(/\S/) >= Math.max(1, indent))) break
    at = next
    if (isComment) end = at
  }
  return end
}

const nextLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

const itemText = ({ value, above, behind }: YamlItem, indent: number): string => {
  const document = new Document([value])
  // The item is one of several lines, and a comment stands on a line of its own.
  const inLines = new Set<unknown>([document.contents, document.getIn([0])])
  for (const path of Object.keys(behind)) {
    const keys = path.split('.')
    for (let depth = 1; depth < keys.length; depth += 1) inLines.add(document.getIn([0, ...keys.slice(0, depth)]))
  }
  visit(document, {
    Collection: (_, node) => {
      if (!inLines.has(node) && isShort(node)) node.flow = true
    },
  })
  for (const [path, comment] of Object.entries(behind)) {
    const keys = path.split('.')
    const parent = document.getIn([0, ...keys.slice(0, -1)])
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === keys.at(-1)) : undefined
    if (pair === undefined || !isScalar(pair.key)) continue
    pair.key.commentBefore = ` ${comment}`
  }
  const item = isSeq(document.contents) ? document.contents.items[0] : undefined
  if (isMap(item)) item.commentBefore = above.replaceAll(/^/gm, ' ')
  const margin = ' '.repeat(indent)
  const lines = document.toString({ lineWidth: 0, indentSeq: true, flowCollectionPadding: false }).split('\n')
  return lines.map((line) => (line === '' ? line : `${margin}${line}`)).join('\n')
}

const SHORT = 90

/** On one line where that is short and nothing in it needs lines of its own. */
const isShort = (node: Node): boolean => {
  if (!isCollection(node)) return false
  const text = JSON.stringify(node.toJSON())
  return text.length <= SHORT && !text.includes('\\n')
}
