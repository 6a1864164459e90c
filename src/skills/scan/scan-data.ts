import { baseName, extensionOf } from '../paths.ts'
import { scanCode } from './scan-code.ts'
import type { ScanLog, ScannedText } from './scan-log.ts'
import { scanLoose } from './scan-loose.ts'

const MAX_COMMANDS = 500

/** Settings hold commands that programs run unasked; other data holds what somebody may type off. */
export const scanData = (source: ScannedText, log: ScanLog): void => {
  const name = baseName(source.file).toLowerCase()
  if (extensionOf(name) === '.svg') scanDrawing(source, log)
  scanHooks(source, name, log)
  if (!isSettings(name, source.file)) {
    scanLoose(source, 'data', log)
    return
  }
  let count = 0
  for (const { text, offset } of commandsOf(source.text)) {
    count += 1
    if (count > MAX_COMMANDS) {
      log.report('not-checked', source.file, `only ${MAX_COMMANDS} commands were looked at`)
      break
    }
    const line = source.text.slice(0, offset).split('\n').length
    scanCode({ file: source.file, text, line }, 'unknown', 'script', log)
  }
  scanCode(source, 'hash', 'script', log)
}

const isSettings = (name: string, path: string): boolean =>
  /^(?:package|composer|deno|plugin|\.?mcp|hooks|settings(?:\.local)?|tasks|launch|devcontainer|claude_desktop_config)\.jsonc?$|^(?:docker-)?compose[\w.-]*\.ya?ml$|^(?:taskfile|action|\.pre-commit-config|\.gitlab-ci)\.ya?ml$|^(?:pyproject|mise|cargo)\.toml$|^(?:setup|tox)\.(?:cfg|ini)$/.test(
    name,
  ) || /(?:^|\/)\.(?:github|circleci|vscode|claude|cursor|codex|gemini)\//.test(path)

/** Texts in JSON that have a space in them: one by one, without the escapes that JSON needs. */
function* commandsOf(text: string): Generator<{ readonly text: string; readonly offset: number }> {
  for (const match of text.matchAll(/"((?:[^"\\\n]|\\.){4,4000})"/g)) {
    const [, written = ''] = match
    if (!/\s/.test(written) || !/[|;&$`()<>/]/.test(written)) continue
    yield { text: unquoted(match[0]) ?? written, offset: match.index }
  }
}

const unquoted = (written: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(written)
    return typeof value === 'string' ? value : undefined
  } catch {
    // TOML and YAML know escapes that JSON does not.
    return undefined
  }
}

const scanHooks = (source: ScannedText, name: string, log: ScanLog): void => {
  for (const { pattern, only, what, severity } of hooks) {
    const match = only.test(name) ? pattern.exec(source.text) : null
    if (match !== null) log.report('runs-on-load', source.file, what, { severity, at: { source, offset: match.index } })
  }
}

const hooks = [
  {
    only: /^package\.json$/,
    pattern: /"(?:pre|post)?install"\s{0,5}:/,
    what: 'npm runs this as the package is installed',
    severity: 'medium',
  },
  {
    only: /^(?:hooks|settings(?:\.local)?|plugin)\.json$/,
    pattern:
      /"(?:SessionStart|PreToolUse|PostToolUse|UserPromptSubmit|Stop|SubagentStop|Notification|PreCompact|SessionEnd)"\s{0,5}:/,
    what: 'an agent runs these hooks by itself',
    severity: 'medium',
  },
  {
    only: /^\.?mcp\.json$/,
    pattern: /"command"\s{0,5}:/,
    what: 'an agent starts this server by itself',
    severity: 'medium',
  },
  {
    only: /^tasks\.json$/,
    pattern: /"runOn"\s{0,5}:\s{0,5}"folderOpen"/,
    what: 'an editor runs this as the folder is opened',
    severity: 'high',
  },
  {
    only: /^devcontainer\.json$/,
    pattern: /"(?:initialize|onCreate|updateContent|postCreate|postStart|postAttach)Command"\s{0,5}:/,
    what: 'an editor runs this as the folder is opened in a container',
    severity: 'medium',
  },
] as const

/** A picture that is a page: browsers run what stands in it. */
const scanDrawing = (source: ScannedText, log: ScanLog): void => {
  const match =
    /<script\b|\son\w{3,20}\s{0,3}=\s{0,3}["']|javascript:|<foreignObject\b[\s\S]{0,2000}<(?:iframe|object)\b/i.exec(
      source.text,
    )
  if (match !== null)
    log.report('dynamic-code', source.file, 'a picture that holds a script', {
      severity: 'medium',
      at: { source, offset: match.index },
    })
}
