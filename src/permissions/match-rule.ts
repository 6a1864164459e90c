import { relativePath } from '../core/relative-path.ts'
import { isShellTool } from '../core/shell-tool.ts'
import {
  type AddressRule,
  addressRule,
  commandRule,
  hostOf,
  isIp,
  parseAddress,
  portOf,
  type ToolRule,
} from '../core/tool-rule.ts'
import { isGlob, matchesGlob } from '../lib/glob.ts'
import { isServerPrefix, matchesToolName } from '../lib/tool-name.ts'
import { rulesForLine } from './allows-line.ts'
import { scriptCommands } from './script-commands.ts'
import { isInterpreter, programOf } from './shell-programs.ts'
import type { ToolUse } from './tool-use.ts'
import { touchesCommand, touchesLine } from './touches-line.ts'

/**
 * The rules that let a use pass, together: several only for a line of several commands. Reads narrowly: what is
 * written oddly, or can't be read, is covered by a rule without a pattern alone.
 */
export const allowingRules = (rules: readonly ToolRule[], use: ToolUse): readonly ToolRule[] | undefined => {
  const single = rules.find((rule) => allows(rule, use))
  if (single) return [single]
  return use.line && use.tool === 'call_tool' ? rulesForLine(rules, use.line) : undefined
}

/** The first rule that stands in the way of a use. Reads widely: in doubt it does. */
export const fencingRule = (rules: readonly ToolRule[], use: ToolUse): ToolRule | undefined =>
  rules.find((rule) => fences(rule, use))

/** Whether the rule speaks of such a use at all, whatever its pattern says. */
export const concerns = (rule: ToolRule, { tool, target }: Pick<ToolUse, 'tool' | 'target'>): boolean =>
  rule.tools.includes(tool) && (rule.kind !== 'command' || tool !== 'call_tool' || isShellTool(target))

/** Whether an allowing rule names this use and no other. */
export const namesExactly = (rule: ToolRule): boolean => {
  if (rule.spec === undefined || rule.problem !== undefined) return false
  if (rule.kind === 'command') return !commandRule(rule.spec).isOpen
  if (rule.kind === 'address') return addressRule(rule.spec)?.isBelow === false
  return !isGlob(rule.spec) && !isServerPrefix(rule.spec)
}

/** Whether a rule opens a tool without naming a path, a host or a provided tool: `write_file`, `write_file(**)`. */
export const namesNothing = ({ kind, spec }: ToolRule): boolean => {
  if (kind === 'command' || kind === 'address') return spec === undefined && kind === 'address'
  return spec === undefined || !/[\p{L}\p{N}]/u.test(spec.replaceAll(/\[[^\]]*\]/g, ''))
}

const allows = (rule: ToolRule, use: ToolUse): boolean => {
  if (!concerns(rule, use) || rule.problem !== undefined) return false
  if (rule.kind === 'command' && use.tool === 'call_tool') return false
  if (rule.spec === undefined) return true
  switch (rule.kind) {
    case 'command':
      return scriptCommands(use).some((words) => begins(rule.spec ?? '', words))
    case 'address':
      return allowsAddress(rule.spec, use.target)
    case 'name':
      return matchesToolName(rule.spec, use.target)
    case 'path': {
      const path = relativePath(use.target)
      return (
        'path' in path && (path.path === '' ? rule.spec === '' : rule.spec !== '' && matchesGlob(rule.spec, path.path))
      )
    }
  }
}

const fences = (rule: ToolRule, use: ToolUse): boolean => {
  if (!concerns(rule, use)) return false
  if (rule.problem !== undefined && rule.kind === 'name' && rule.spec) return matchesGlob(rule.spec, use.target)
  if (rule.spec === undefined || rule.problem !== undefined) return true
  switch (rule.kind) {
    case 'command':
      return use.line ? touchesLine(rule, { line: use.line, read: use.read }) : fencesScript(rule, use)
    case 'address':
      return fencesAddress(rule.spec, use.target)
    case 'name':
      return matchesToolName(folded(rule.spec), folded(use.target))
    case 'path':
      return fencesPath(rule.spec, use)
  }
}

const begins = (spec: string, words: readonly string[]): boolean => {
  const { words: named, isOpen } = commandRule(spec)
  return named.every((word, i) => words[i] === word) && (isOpen || words.length === named.length)
}

/** Which interpreter a file without a known extension asks for is not known: any may be meant. */
const fencesScript = (rule: ToolRule, use: ToolUse): boolean => {
  const forms = scriptCommands(use)
  const program = commandRule(rule.spec ?? '').words[0] ?? ''
  const isUnknown = forms.every(([first]) => !isInterpreter(programOf(first ?? '')))
  return (isUnknown && isInterpreter(programOf(program))) || forms.some((words) => touchesCommand(rule, words))
}

/** File systems may fold case and compose letters. */
const folded = (text: string): string => text.normalize('NFC').toLowerCase()

const fencesPath = (spec: string, { tool, target }: ToolUse): boolean => {
  const result = relativePath(target)
  // What is no path is refused by the tool as well; here nobody can say that it is not what the rule means.
  if ('problem' in result) return true
  const [rule, path] = [folded(spec), folded(result.path)]
  if (rule === '' || path === '') return rule === path || tool === 'grep'
  if (matchesGlob(rule, path)) return true
  if (!isGlob(rule) && path.startsWith(`${rule.replaceAll('\\', '')}/`)) return true
  // A search sees all that lies below its folder.
  return tool === 'grep' && `${fixedStart(rule)}/`.startsWith(`${path}/`)
}

const fixedStart = (glob: string): string => {
  const segments = glob.split('/')
  const wild = segments.findIndex((segment) => isGlob(segment))
  return (wild < 0 ? segments : segments.slice(0, wild)).join('/')
}

const allowsAddress = (spec: string, target: string): boolean => {
  const rule = addressRule(spec)
  const url = parseAddress(target)
  if (!rule || !url || !isHost(rule, hostOf(url))) return false
  if (rule.port !== undefined && rule.port !== portOf(url)) return false
  if (rule.protocol !== undefined && rule.protocol !== url.protocol) return false
  return rule.path === undefined || (!isDoubtful(url.pathname) && matchesGlob(rule.path, url.pathname))
}

/** Servers disagree about what an encoded slash or dot is, and some drop what follows a semicolon: `/..;/`. */
const isDoubtful = (pathname: string): boolean => /%(2[ef5]|5c|00|c[01])|\/\/|\/\.*;/i.test(pathname)

const fencesAddress = (spec: string, target: string): boolean => {
  const rule = addressRule(spec)
  const url = parseAddress(target)
  if (!rule || !url) return true
  if (!isHost(rule, hostOf(url)) && !isMapped(rule, url)) return false
  if (rule.protocol === undefined && rule.port !== undefined && rule.port !== portOf(url)) return false
  if (rule.path === undefined || rule.path === '/') return true
  if (/[%;]|\/\//.test(url.pathname)) return true
  const path = folded(url.pathname)
  const below = rule.path.replace(/\/(\*+)?$/, '')
  return matchesGlob(folded(rule.path), path) || path === folded(below) || matchesGlob(`${folded(below)}/**`, path)
}

/** `[::ffff:5db8:d822]` is 93.184.216.34. */
const isMapped = (rule: AddressRule, url: URL): boolean => {
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostOf(url)) ?? []
  if (high === undefined || low === undefined || rule.isBelow) return false
  const parts = [high, low].map((part) => Number.parseInt(part, 16)).flatMap((part) => [part >> 8, part & 255])
  return rule.host === parts.join('.')
}

/** Compared label by label. */
const isHost = (rule: AddressRule, host: string): boolean =>
  rule.isBelow ? !isIp(host) && host.endsWith(`.${rule.host}`) : host === rule.host
