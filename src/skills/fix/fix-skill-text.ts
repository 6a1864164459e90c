import { allowedToolsFields } from '../allowed-tools.ts'
import { checkName, normalName } from '../check-name.ts'
import { skillLog } from '../diagnose.ts'
import type { SkillProfile } from '../dialects/dialects.ts'
import { type Frontmatter, readFrontmatter } from '../read-frontmatter.ts'
import { repairFrontmatter } from '../repair-frontmatter.ts'
import type { SkillRuleId } from '../rules.ts'
import { splitFrontmatter } from '../split-frontmatter.ts'

export type SkillChange = { readonly rule: SkillRuleId; readonly line: number; readonly message: string }

export type SkillFix = { readonly text: string; readonly changes: readonly SkillChange[] }

type Input = { readonly folder: string; readonly profile: SkillProfile }
type Step = (text: string, input: Input) => SkillFix | undefined

/**
 * Mends what can be mended in one way only in the text of a SKILL.md: blank lines above the frontmatter, values with a
 * colon that are not in quotes, a name that is missing or spelt otherwise than its folder, `allowed_tools`, and version
 * or author beside metadata instead of in it. Line ends, byte order mark, comments and instructions stay as they are; what
 * is fixed once is not touched again.
 */
export const fixSkillText = (text: string, input: Input): SkillFix => {
  const changes: SkillChange[] = []
  let fixed = text
  for (const step of [dropBlankLines, quoteColons, renameAllowedTools, fixName, moveIntoMetadata]) {
    const done = step(fixed, input)
    if (done === undefined || !isSound(fixed, done.text)) continue
    fixed = done.text
    changes.push(...done.changes)
  }
  return { text: fixed, changes }
}

/** Nothing below the frontmatter may have changed, and it must be one that can be read. */
const isSound = (before: string, after: string): boolean => {
  const old = splitFrontmatter(before, { skipBlankLines: true })
  const now = splitFrontmatter(after)
  return (
    old.ok &&
    now.ok &&
    before.slice(old.bodyStart) === after.slice(now.bodyStart) &&
    old.bom === now.bom &&
    readFrontmatter(after, { file: 'SKILL.md', mode: 'strict' }).frontmatter !== undefined
  )
}

/** Of a frontmatter that is YAML as it stands, without the repair that loading knows. */
const fieldsOf = (text: string): Frontmatter | undefined => {
  const { frontmatter, log } = readFrontmatter(text, { file: 'SKILL.md', mode: 'strict' })
  return log.diagnostics.some(({ code }) => code === 'skill/unquoted-colon') ? undefined : frontmatter
}

const dropBlankLines: Step = (text) => {
  if (splitFrontmatter(text).ok) return undefined
  const split = splitFrontmatter(text, { skipBlankLines: true })
  if (!split.ok) return undefined
  const start = split.bom ? 1 : 0
  const fence = text.indexOf('---', start)
  // A fence may have blanks before it on no line: all above it is blank lines.
  if (text.slice(start, fence).trim() !== '') return undefined
  const message = 'blank lines above the frontmatter were removed'
  return { text: text.slice(0, start) + text.slice(fence), changes: [{ rule: 'leading-blank-line', line: 1, message }] }
}

/** The lines of the frontmatter, with their ends; `put` gives the whole text with others in their place. */
type Lines = {
  readonly lines: readonly string[]
  readonly first: number
  readonly put: (lines: readonly string[]) => string
}

const linesOf = (text: string): Lines | undefined => {
  const split = splitFrontmatter(text)
  if (!split.ok) return undefined
  const start = text.indexOf('\n', text.indexOf('---')) + 1
  return {
    lines: split.frontmatter.match(/[^\n]*\n/g) ?? [],
    first: split.line,
    put: (lines) => text.slice(0, start) + lines.join('') + text.slice(start + split.frontmatter.length),
  }
}

const withEndOf = (line: string, text: string): string => text + (line.endsWith('\r\n') ? '\r\n' : '\n')

const quoteColons: Step = (text) => {
  const found = linesOf(text)
  if (found === undefined) return undefined
  const { log } = readFrontmatter(text, { file: 'SKILL.md', mode: 'lenient' })
  if (!log.diagnostics.some(({ code }) => code === 'skill/unquoted-colon')) return undefined
  const repaired = repairFrontmatter(found.lines.join(''))
  if (repaired === undefined) return undefined
  const lines = [...found.lines]
  const changes: SkillChange[] = []
  const mended = repaired.text.split('\n')
  for (const { line, key } of repaired.repairs) {
    const old = lines[line] ?? ''
    // A line that the value went on in has become a part of it.
    const isOneLine = mended[line + 1] !== '' || (found.lines[line + 1] ?? '').trim() === ''
    // Behind ` #` there may be a comment, which quotes would swallow.
    if (!isOneLine || /\s#/.test(old)) return undefined
    lines[line] = withEndOf(old, mended[line] ?? '')
    changes.push({ rule: 'unquoted-colon', line: found.first + line, message: `the value of ${key} was put in quotes` })
  }
  return { text: found.put(lines), changes }
}

const renameAllowedTools: Step = (text, { profile }) => {
  const found = linesOf(text)
  const frontmatter = fieldsOf(text)
  if (found === undefined || frontmatter === undefined || profile === 'saa') return undefined
  const [field, ...others] = allowedToolsFields(frontmatter.fields)
  if (field === undefined || field === 'allowed-tools' || others.length > 0) return undefined
  const at = found.lines.findIndex((line) => line.startsWith(`${field}:`))
  if (at === -1) return undefined
  const message = `${field} is called allowed-tools now`
  return {
    text: found.put(found.lines.map((line, i) => (i === at ? `allowed-tools${line.slice(field.length)}` : line))),
    changes: [{ rule: 'allowed-tools-spelling', line: found.first + at, message }],
  }
}

/** Only where the folder's name is a right one, and the other no more than a way to write it. */
const fixName: Step = (text, { folder }) => {
  const found = linesOf(text)
  const frontmatter = fieldsOf(text)
  if (found === undefined || frontmatter === undefined || !isRightName(folder)) return undefined
  const { name } = frontmatter.fields
  const ending = found.lines[0] ?? '\n'
  if (name === undefined) {
    const change = {
      rule: 'name-missing',
      line: found.first,
      message: `the name is ${folder} now, as its folder`,
    } as const
    return {
      text: found.put([withEndOf(ending, `name: ${quotedIfNeeded(folder)}`), ...found.lines]),
      changes: [change],
    }
  }
  if (typeof name !== 'string' || normalName(name) === normalName(folder) || slugOf(name) !== folder) return undefined
  const at = found.lines.findIndex((line) => /^name:[ \t]/.test(line))
  const [, before, quote, written, rest] =
    /^(name:[ \t]+)(["']?)([^"'\r\n#]+?)\2([ \t]*(?:#[^\r\n]*)?\r?\n)$/.exec(found.lines[at] ?? '') ?? []
  if (before === undefined || written?.trim() !== name.trim()) return undefined
  const line = `${before}${quote}${folder}${quote}${rest}`
  return {
    text: found.put(found.lines.map((old, i) => (i === at ? line : old))),
    changes: [{ rule: 'name-directory', line: found.first + at, message: `the name is ${folder} now, as its folder` }],
  }
}

const isRightName = (folder: string): boolean => {
  const log = skillLog('', 'strict')
  checkName(folder, [folder], log, () => ({ line: 1, column: 1 }))
  return folder === normalName(folder) && !log.diagnostics.some(({ severity }) => severity === 'error')
}

const slugOf = (name: string): string =>
  normalName(name)
    .toLowerCase()
    .replace(/[\s_.-]+/g, '-')
    .replace(/^-|-$/g, '')

/** Digits alone, or `true`, would be something else without quotes to other readers of YAML. */
const quotedIfNeeded = (name: string): string =>
  /^[\d-]|^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name) ? `"${name}"` : name

const movable = ['version', 'author', 'homepage'] as const

const moveIntoMetadata: Step = (text, { profile }) => {
  const found = linesOf(text)
  const frontmatter = fieldsOf(text)
  if (found === undefined || frontmatter === undefined || profile !== 'spec') return undefined
  const { metadata } = frontmatter.fields
  if (metadata !== undefined && !(isMap(metadata) && found.lines.some((line) => /^metadata:[ \t]*\r?\n$/.test(line))))
    return undefined
  const known = isMap(metadata) ? metadata : {}
  const moved = movable.flatMap((field) => {
    const at = found.lines.findIndex((line) => line.startsWith(`${field}:`))
    const [, value] = /^\w+:[ \t]+([^\s|>&*!{[%@`][^\r\n]*\r?\n)$/.exec(found.lines[at] ?? '') ?? []
    // A value goes on behind blank lines too.
    const next = found.lines.slice(at + 1).find((line) => line.trim() !== '')
    const isAlone = !/^[ \t]/.test(next ?? '')
    const canMove =
      value !== undefined && isAlone && !Object.hasOwn(known, field) && typeof frontmatter.fields[field] === 'string'
    return canMove ? [{ field, at, value }] : []
  })
  const [firstMoved] = moved.map(({ at }) => at).sort((a, b) => a - b)
  if (firstMoved === undefined) return undefined
  const head = found.lines.findIndex((line) => /^metadata:[ \t]*\r?\n$/.test(line))
  const indent = /^[ \t]+/.exec(found.lines[head + 1] ?? '')?.[0] ?? '  '
  const entries = moved.map(({ field, value }) => `${indent}${field}: ${value}`)
  const gone = new Set(moved.map(({ at }) => at))
  const lines = found.lines.flatMap((line, i) => {
    if (i === head) return [line, ...entries]
    if (head === -1 && i === firstMoved) return [withEndOf(line, 'metadata:'), ...entries]
    return gone.has(i) ? [] : [line]
  })
  return {
    text: found.put(lines),
    changes: moved.map(({ field, at }) => ({
      rule: 'unknown-field',
      line: found.first + at,
      message: `${field} stands below metadata now`,
    })),
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
