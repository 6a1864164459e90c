import type { ActionType } from '../core/actions.ts'
import { relativePath } from '../core/relative-path.ts'
import { matchesGlob } from '../lib/glob.ts'

/** `tool` or `tool(spec)` as somebody wrote it, and the tools of ours that it means. */
export type ToolRule = {
  readonly written: string
  readonly tools: readonly ActionType[]
  /** undefined: every use of the tool. */
  readonly spec: string | undefined
  /** How the spec is compared: with a path or name, with a command line, or with a host. */
  readonly kind: 'target' | 'command' | 'domain'
}

const foreign: ReadonlyMap<string, readonly ActionType[]> = new Map<string, readonly ActionType[]>([
  ['read', ['read_file']],
  ['write', ['write_file']],
  ['edit', ['write_file']],
  ['multiedit', ['write_file']],
  ['bash', ['run_script']],
  ['grep', ['grep']],
  ['glob', ['list_dir']],
  ['ls', ['list_dir']],
  ['webfetch', ['network_request']],
  ['network', ['network_request']],
])

const own: ReadonlySet<ActionType> = new Set<ActionType>([
  'read_file',
  'list_dir',
  'grep',
  'write_file',
  'delete_file',
  'run_script',
  'network_request',
  'call_tool',
  'load_resource',
  'search_skills',
  'select_skills',
])

/** Reads a rule; undefined where it can't be read (unbalanced parentheses, no name): such a rule covers nothing. */
export const parseToolRule = (written: string): ToolRule | undefined => {
  const match = /^\s*([^\s()]+)\s*(?:\((.*)\))?\s*$/s.exec(written)
  const name = match?.[1]
  if (name === undefined) return undefined
  const spec = match?.[2]?.trim()
  const everything = spec === undefined || spec === '' || spec === '*'
  const rule = { written, spec: everything ? undefined : spec }
  if (own.has(name as ActionType)) return { ...rule, tools: [name as ActionType], kind: 'target' }
  const tools = foreign.get(name.toLowerCase())
  if (!tools) return { written, tools: ['call_tool'], spec: name, kind: 'target' }
  if (tools[0] === 'run_script') return { ...rule, tools, kind: 'command' }
  if (tools[0] === 'network_request') return { ...rule, tools, kind: 'domain' }
  return { ...rule, tools, kind: 'target' }
}

/** A grant of the command line, `tool` or `tool:pattern`; undefined where it names none of our tools. */
export const parseGrant = (written: string): ToolRule | undefined => {
  const [, name = '', pattern] = /^([^:()\s]+)(?::(.+))?$/s.exec(written) ?? []
  const rule = own.has(name as ActionType)
    ? parseToolRule(pattern === undefined ? name : `${name}(${normalised(pattern)})`)
    : undefined
  return rule && { ...rule, written }
}

/** The tools that a grant can name. */
export const grantable: readonly string[] = [...own]

/** What stands for a rule that can't be read where covering too little would be dangerous: it covers every tool. */
export const unreadableRule = (written: string): ToolRule => ({
  written: `${written} (can't be read)`,
  tools: [...own],
  spec: undefined,
  kind: 'target',
})

/** Whether the rule means this use of the tool. `target` is its main parameter, `args` those of a script. */
export const coversUse = (rule: ToolRule, tool: ActionType, target: string, args: readonly string[] = []): boolean => {
  if (!rule.tools.includes(tool)) return false
  if (rule.spec === undefined) return true
  if (rule.kind === 'command') return coversCommand(rule.spec, target, args)
  if (rule.kind === 'domain') return hostOf(target) === rule.spec.replace(/^domain:/, '').toLowerCase()
  return matchesGlob(rule.spec, normalised(target))
}

/** `.//data/./x.csv` names the same file as `data/x.csv`: a rule must not be passed by writing it otherwise. */
const normalised = (target: string): string => {
  const result = relativePath(target)
  return 'path' in result ? result.path : target
}

const interpreters: ReadonlyMap<string, readonly string[]> = new Map([
  ['py', ['python3', 'python']],
  ['sh', ['bash', 'sh']],
  ['bash', ['bash']],
  ['js', ['node']],
  ['mjs', ['node']],
  ['cjs', ['node']],
  ['ts', ['node']],
])

/** `git:*`, `python3 scripts/x.py:*`, `scripts/x.py *` against the ways in which running this script can be written. */
const coversCommand = (spec: string, path: string, args: readonly string[]): boolean => {
  const open = /(:\*|\s+\*)$/.test(spec)
  const words = spec.replace(/(:\*|\s+\*)$/, '').split(/\s+/)
  const script = normalised(path)
  const extension = /\.([^./]+)$/.exec(script)?.[1] ?? ''
  const starts = [[script], [`./${script}`], ...(interpreters.get(extension) ?? []).map((program) => [program, script])]
  return starts.some((start) => {
    const line = [...start, ...args]
    return words.every((word, i) => line[i] === word) && (open || line.length === words.length)
  })
}

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined)
