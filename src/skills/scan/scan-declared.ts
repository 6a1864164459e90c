import { parseToolRule, type ToolRule } from '../../core/tool-rule.ts'
import { type FlowCommand, readShellFlow } from '../../lib/shell-flow.ts'
import { visibleLine } from '../../lib/visible.ts'
import { readAllowedTools } from '../allowed-tools.ts'
import { readFrontmatter } from '../read-frontmatter.ts'
import { fencedCode } from './scan-document.ts'
import type { ScanLog } from './scan-log.ts'
import type { ScanRuleId } from './scan-rules.ts'

export type DeclaredInput = {
  /** The text of SKILL.md, and its path in the skill. */
  readonly text: string
  readonly file: string
  /** What each script was found to do. */
  readonly scripts: ReadonlyMap<string, ReadonlySet<ScanRuleId>>
}

/** Holds what the frontmatter declares, and what the text promises, against what is there. */
export const scanDeclared = ({ text, file, scripts }: DeclaredInput, log: ScanLog): void => {
  const { frontmatter, log: own } = readFrontmatter(text, { file, mode: 'lenient' })
  const fields = frontmatter?.fields ?? {}
  const source = { file, text, line: 1 }
  const declared = frontmatter && readAllowedTools(fields, frontmatter.positions, own)
  if (declared !== undefined) {
    const rules = declared.map((entry) => parseToolRule(entry)).filter((rule) => rule !== undefined)
    checkCommands(rules, { text, file, scripts }, log)
  }
  if (Object.hasOwn(fields, 'hooks')) {
    const offset = Math.max(0, text.search(/^hooks\s*:/m))
    log.report('runs-on-load', file, 'the frontmatter sets up hooks', { at: { source, offset } })
  }
  const start = frontmatter?.split.bodyStart ?? 0
  for (const match of text.slice(start).matchAll(/(?<![`\w])!`([^`\n]{1,300})`/g))
    log.report('runs-on-load', file, 'the instructions hold a command that is run as they are loaded', {
      severity: /curl|wget|base64|\brm\b|>|ssh|token|secret|key/i.test(match[1] ?? '') ? 'high' : 'medium',
      at: { source, offset: start + match.index },
    })
  checkPromises(text, file, scripts, log)
}

const checkCommands = (rules: readonly ToolRule[], input: DeclaredInput, log: ScanLog): void => {
  const { text, file, scripts } = input
  const commands = rules.filter(({ tools }) => tools.includes('run_script'))
  const broad = commands.find(({ kind, spec }) => kind === 'command' && (spec === undefined || /^[*:\s]*$/.test(spec)))
  if (broad !== undefined) {
    log.report('broad-tools', file, `${visibleLine(broad.written, 60)} in allowed-tools is any command`)
    return
  }
  if (scripts.size > 0 && commands.length === 0) {
    const names = [...scripts.keys()].slice(0, 3).map((name) => visibleLine(name, 60))
    log.report(
      'undeclared-tools',
      file,
      `allowed-tools lets no command run, but there are scripts: ${names.join(', ')}`,
    )
  }
  const covered = (program: string): boolean =>
    commands.some(({ spec = '' }) => spec.split(/[\s:*]/)[0] === program || spec.includes(program))
  const missing = new Set<string>()
  for (const { language, text: code } of fencedCode(text)) {
    if (language !== 'shell') continue
    for (const program of programsOf(readShellFlow(code)?.commands ?? [])) if (!covered(program)) missing.add(program)
  }
  if (missing.size > 0) {
    const names = [...missing].slice(0, 8).map((name) => visibleLine(name, 40))
    log.report('undeclared-tools', file, `the instructions use what allowed-tools does not name: ${names.join(', ')}`)
  }
}

const programsOf = (commands: readonly FlowCommand[]): string[] =>
  commands.flatMap(({ words: [program = ''] }) =>
    /^[a-z][\w.-]{0,30}$/.test(program) && !builtins.has(program) ? [program] : [],
  )

const builtins = new Set([
  'cd',
  'echo',
  'export',
  'set',
  'test',
  'true',
  'false',
  'exit',
  'read',
  'printf',
  'source',
  'pwd',
  'local',
  'return',
  'shift',
  'if',
  'for',
])

const checkPromises = (text: string, file: string, scripts: DeclaredInput['scripts'], log: ScanLog): void => {
  const promise =
    /\b(?:no|without|never uses?(?: the)?|does(?: not|n't) (?:use|need|require|access)(?: the| any)?) (?:network|internet)\b|\b(?:fully|completely|entirely|works?|runs?) offline\b|\boffline only\b/i.exec(
      text,
    )
  if (promise === null) return
  const source = { file, text, line: 1 }
  for (const [script, met] of scripts) {
    if (!met.has('network-access') && !met.has('download-run') && !met.has('exfiltration')) continue
    log.report('contradiction', file, `the text promises no network, but ${visibleLine(script, 100)} uses it`, {
      at: { source, offset: promise.index },
    })
  }
}
