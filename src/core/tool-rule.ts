import { type ActionType, actionTypeOf } from './actions.ts'
import { relativePath } from './relative-path.ts'

/** `tool` or `tool(spec)` as somebody wrote it, and what it means. */
export type ToolRule = {
  readonly written: string
  /** The tools of ours that it speaks of. */
  readonly tools: readonly ActionType[]
  /** undefined: every use of the tool. */
  readonly spec: string | undefined
  /** How the spec is compared: with a path, a provided tool's name, a command line, or an address. */
  readonly kind: 'path' | 'name' | 'command' | 'address'
  /** Why the spec means nothing, as the end of a sentence. Such a rule allows nothing, and fences all it may mean. */
  readonly problem?: string
}

/** What other runtimes call our tools, in lower case. */
const foreign: ReadonlyMap<string, ActionType> = new Map<string, ActionType>([
  ['read', 'read_file'],
  ['write', 'write_file'],
  ['edit', 'write_file'],
  ['multiedit', 'write_file'],
  ['bash', 'run_script'],
  ['grep', 'grep'],
  ['glob', 'list_dir'],
  ['ls', 'list_dir'],
  ['webfetch', 'network_request'],
  ['network', 'network_request'],
])

const fenced: readonly ActionType[] = [
  'read_file',
  'list_dir',
  'grep',
  'run_script',
  'call_tool',
  'write_file',
  'delete_file',
  'network_request',
]

/** What belongs to having skills at all: outside every fence. */
const free: ReadonlySet<string> = new Set<ActionType>([
  'select_skills',
  'search_skills',
  'disable_skill',
  'enable_skill',
  'load_resource',
  'update_plan',
  'final_answer',
])

/** Whether no rule has a say over the tool. */
export const isFree = (tool: string): boolean => free.has(tool)

/** The names that a rule may begin with, other than those of tools that a run provides. */
export const ruleNames: readonly string[] = [
  ...fenced,
  ...free,
  ...['Read', 'Write', 'Edit', 'MultiEdit', 'Bash', 'Grep', 'Glob', 'LS', 'WebFetch', 'network'],
]

/**
 * Reads a rule: our names, those of other runtimes (`Bash(git:*)`, `WebFetch(domain:x)`), and any other name as that
 * of a provided tool. undefined where it has no name or its parentheses do not match.
 */
export const parseToolRule = (written: string): ToolRule | undefined => {
  const match = /^\s*([^\s()]+)\s*(?:\((.*)\))?\s*$/s.exec(written)
  const name = match?.[1]
  if (name === undefined || !isBalanced(match?.[2] ?? '')) return undefined
  const inside = match?.[2]?.trim()
  const spec = inside === '*' ? undefined : inside
  const own = actionTypeOf(name)
  const tool = own ?? foreign.get(name.toLowerCase())
  if (tool === undefined) {
    const problem = spec === undefined ? undefined : 'no rule can look into what a provided tool is given'
    return { written, tools: ['call_tool'], spec: name, kind: 'name', ...(problem && { problem }) }
  }
  const kind = own === undefined && tool === 'run_script' ? 'command' : kindOf(tool)
  const problem = spec === undefined ? undefined : problemOf(kind, spec)
  // A shell line reaches us as what a provided tool is called with.
  const tools: readonly ActionType[] = kind === 'command' ? ['run_script', 'call_tool'] : [tool]
  const clean = spec !== undefined && kind === 'path' && problem === undefined ? cleanPath(spec) : spec
  return { written, tools, spec: clean, kind, ...(problem && { problem }) }
}

/** What stands for a rule that can't be read where covering too little would be dangerous: it covers every tool. */
export const unreadableRule = (written: string): ToolRule => ({
  written: `${written} (can't be read)`,
  tools: fenced,
  spec: undefined,
  kind: 'path',
})

const isBalanced = (text: string): boolean => {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return false
  }
  return depth === 0
}

const kindOf = (tool: ActionType): ToolRule['kind'] => {
  if (tool === 'call_tool') return 'name'
  return tool === 'network_request' ? 'address' : 'path'
}

const problemOf = (kind: ToolRule['kind'], spec: string): string | undefined => {
  if (spec === '') return 'its parentheses are empty: leave them out, or name what is meant'
  if (kind === 'path') return pathProblem(spec)
  if (kind === 'command') return commandProblem(spec)
  return kind === 'address' && addressRule(spec) === undefined
    ? 'it is neither a host (example.com, *.example.com, example.com:8443) nor an http(s) address without a query'
    : undefined
}

/** A backslash is the glob's own, before what is meant literally. */
const pathProblem = (spec: string): string | undefined => {
  const result = relativePath(spec.replaceAll(/\\(?=[^/])/g, ''))
  return 'problem' in result ? result.problem : undefined
}

const cleanPath = (spec: string): string => {
  const path = spec
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')
  return spec.endsWith('/') && path !== '' ? `${path}/**` : path
}

const commandProblem = (spec: string): string | undefined => {
  const { words } = commandRule(spec)
  if (words.length === 0) return 'it names no command'
  if (words.some((word) => word.includes('*'))) return 'a command has its * at the end alone: git:* or git *'
  return /["'\\$`;&|<>(){}\n]/.test(words.join(' '))
    ? 'it has what only a shell can read: write plain words'
    : undefined
}

/** `git log:*`, `git log *` → the words that a command must begin with; `isOpen` where more may follow. */
export const commandRule = (spec: string): { readonly words: readonly string[]; readonly isOpen: boolean } => {
  const plain = spec.replace(/(:\*|\s+\*)$/, '')
  return { words: plain.split(/\s+/).filter((word) => word !== ''), isOpen: plain !== spec }
}

export type AddressRule = {
  /** In ASCII, as WHATWG URL writes it, without a trailing dot. */
  readonly host: string
  /** Whether the names below `host` are meant instead of itself. */
  readonly isBelow: boolean
  readonly port: string | undefined
  readonly protocol: string | undefined
  /** A glob over the path; undefined: any. */
  readonly path: string | undefined
}

/** `example.com`, `*.example.com`, `example.com:8443`, `domain:example.com`, `https://example.com/v1/*`. */
export const addressRule = (spec: string): AddressRule | undefined => {
  const plain = spec.replace(/^domain:/, '')
  const [, protocol, rest = ''] = /^(https?:)\/\/(.*)$/is.exec(plain) ?? [undefined, undefined, plain]
  const [, authority = '', path] = /^([^/]*)(\/.*)?$/s.exec(rest) ?? []
  const isBelow = authority.startsWith('*.')
  const url = parseAddress(`${protocol ?? 'http:'}//${isBelow ? authority.slice(2) : authority}`)
  if (!url || /[?#@*\\]/.test(`${isBelow ? authority.slice(2) : authority}`) || /[?#\\]/.test(path ?? ''))
    return undefined
  if (path !== undefined && protocol === undefined) return undefined
  const host = hostOf(url)
  if (isBelow && isIp(host)) return undefined
  const port = /:(\d+)$/.exec(authority)?.[1]
  return {
    host,
    isBelow,
    port: protocol === undefined ? port && String(Number(port)) : portOf(url),
    protocol: protocol?.toLowerCase(),
    path,
  }
}

/** The address of a request, where every reader of it agrees what it names; undefined otherwise. */
export const parseAddress = (written: string): URL | undefined => {
  if (/[\s\p{Cc}\\]/u.test(written) || !URL.canParse(written)) return undefined
  const url = new URL(written)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  // An empty user name leaves no trace in the parsed address.
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(written)?.[1] ?? '@'
  return authority.includes('@') || authority === '' || hostOf(url) === '' ? undefined : url
}

/** Its host in ASCII, lower case, without the dot that may end it. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

export const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

export const isIp = (host: string): boolean => host.startsWith('[') || /^\d+(\.\d+)*$/.test(host)
