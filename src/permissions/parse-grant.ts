import { UsageError } from '../core/errors.ts'
import { isFree, parseToolRule, ruleNames, type ToolRule } from '../core/tool-rule.ts'
import { globFault } from '../lib/glob.ts'
import { nearestName } from '../lib/nearest.ts'
import { visibleLine } from '../lib/visible.ts'

/** A grant of the command line: `write_file`, `write_file:out.txt`. Throws a UsageError for what grants nothing. */
export const parseGrant = (written: string): ToolRule => {
  const [, name = '', pattern] = /^([^:()\s]+):(.*)$/s.exec(written) ?? [undefined, written]
  const text = pattern === undefined ? name : `${name}(${pattern})`
  const rule = parseToolRule(text)
  if (!rule || /^:/.test(written) || pattern?.trim() === '')
    throw refused(written, 'it must look like TOOL or TOOL:PATTERN')
  const tool = text.replace(/\(.*/s, '').trim()
  const meant = nearestName(tool, ruleNames)
  if (meant !== undefined && rule.kind === 'name') throw refused(written, `there is no tool ${tool}`, meant)
  if (rule.tools.every(isFree)) throw refused(written, `${tool} needs no permission`)
  const fault =
    rule.problem ?? (rule.spec === undefined || rule.kind === 'command' ? undefined : globProblem(rule.spec))
  if (fault !== undefined) throw refused(written, fault)
  return { ...rule, written }
}

const globProblem = (spec: string): string | undefined => {
  const fault = spec === '' ? undefined : globFault(spec)
  return fault === undefined ? undefined : `the pattern ${fault}`
}

const refused = (written: string, why: string, meant?: string): UsageError =>
  new UsageError('bad_grant', `--allow ${visibleLine(written)}: ${why}`, {
    hint: meant === undefined ? 'For example --allow write_file:out.txt' : `Did you mean ${meant}?`,
  })
