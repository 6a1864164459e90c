import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkText, type SkillBodyText } from './check-body.ts'
import type { SkillLog } from './diagnose.ts'
import { hasScriptExtension } from './file-kind.ts'
import { findMentions, type Mention } from './find-mentions.ts'
import { mentionedNames } from './mentioned-names.ts'
import { baseName, extensionOf, joinPath } from './paths.ts'
import { placeAt } from './place-at.ts'
import { skillFiles } from './skill-files.ts'

const limits = { textBytes: 256 * 1024, allBytes: 4 * 1024 * 1024 } as const

/**
 * What an author is glad to hear about the files of a skill: references that lead nowhere, out of the skill or deeper than
 * one level; files that nothing names; scripts without a shebang. `dir` is the folder as diagnostics shall name it.
 * Looks at the files' text only as far as its bounds go, and says so where they ended it.
 */
export const checkFiles = (dir: string, body: SkillBodyText, files: Files, log: SkillLog): void => {
  const { files: found, complete } = skillFiles(dir, files)
  const paths = found.map(({ path }) => path)
  if (!complete) log.report('not-checked', 'the skill has too many files or folders: not all were looked at')
  checkMentions(findMentions(body.text), paths, body, dir, files, log)

  const reached = reach(dir, body, paths, files, log)
  for (const path of paths) {
    const by = reached.get(path)
    if (by === undefined && !isExpected(path))
      log.report('file-unreferenced', `${visibleLine(path)} is mentioned nowhere`, { file: joinPath(dir, path) })
    if (by !== 'code' && isProgram(path) && !startsWithShebang(joinPath(dir, path), files))
      log.report('script-shebang', `${visibleLine(path)} has no shebang`, {
        file: joinPath(dir, path),
        place: () => ({ line: 1, column: 1 }),
      })
  }
}

const checkMentions = (
  mentions: readonly Mention[],
  paths: readonly string[],
  body: SkillBodyText,
  dir: string,
  files: Files,
  log: SkillLog,
): void => {
  const known = new Set(paths)
  for (const { path: written, offset } of mentions) {
    const place = () => placeAt(body.text, offset, body.line)
    const shown = visibleLine(written, 120)
    const path = normalize(written)
    if (path === undefined) {
      log.report('reference-outside', `${shown} leads out of the skill`, { place })
      continue
    }
    if (!known.has(path) && files.realPath(joinPath(dir, path)) === undefined)
      log.report('reference-missing', `${shown} does not exist`, { place })
    else if (path.split('/').length > 2 && known.has(path))
      log.report('reference-nested', `${shown} is more than one folder deep`, { place })
  }
}

/** Without `.` and `..`; undefined where it leaves the skill. */
const normalize = (path: string): string | undefined => {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** What mentions a file: prose (the body, or Markdown that prose mentions), or only the code of other files. */
type Via = 'prose' | 'code'

const reach = (
  dir: string,
  body: SkillBodyText,
  paths: readonly string[],
  files: Files,
  log: SkillLog,
): ReadonlyMap<string, Via> => {
  const reached = new Map<string, Via>()
  const queue: { readonly path: string; readonly text: string }[] = [{ path: 'SKILL.md', text: body.text }]
  let budget: number = limits.allBytes
  for (const { path: from, text } of queue) {
    if (reached.size === paths.length) break
    const kind = isMarkdown(from) ? 'prose' : 'code'
    const names = mentionedNames(text, kind)
    for (const path of paths) {
      if (reached.has(path) || !names.has(path)) continue
      reached.set(path, kind)
      if (kind === 'prose' && isMarkdown(path) && from !== 'SKILL.md') reportNested(from, path, text, dir, log)
      if (!isReadable(path)) continue
      const content = readSome(joinPath(dir, path), budget, files)
      budget -= content.length
      if (isMarkdown(path)) checkText(content, 1, log, joinPath(dir, path))
      queue.push({ path, text: content })
    }
  }
  if (budget <= 0) log.report('not-checked', 'the files are too large: not all of their text was looked at')
  return reached
}

const reportNested = (from: string, path: string, text: string, dir: string, log: SkillLog): void => {
  log.report('reference-nested', `${visibleLine(path)} is mentioned here only, not in SKILL.md`, {
    file: joinPath(dir, from),
    place: () => placeAt(text, Math.max(0, text.indexOf(baseName(path)))),
  })
}

const readSome = (file: string, budget: number, files: Files): string => {
  if (budget <= 0) return ''
  try {
    return files.readHead(file, Math.min(budget, limits.textBytes)).text
  } catch (error) {
    if (error instanceof FileError) return ''
    throw error
  }
}

const isMarkdown = (path: string): boolean => /\.(?:md|markdown|mdx|txt|rst)$/i.test(path)

const isReadable = (path: string): boolean =>
  isMarkdown(path) ||
  hasScriptExtension(path) ||
  /\.(?:tsx|jsx|rb|pl|go|rs|java|php|r|jl|html?|css|tmpl|j2)$/i.test(path)

/** Files that tools look for by themselves, so that nothing need mention them. */
const isExpected = (path: string): boolean =>
  /^(?:licen[cs]e|readme|notice|changelog|skill\.json|requirements|package(?:-lock)?\.json|pyproject|uv\.lock|__init__\.py)/i.test(
    baseName(path),
  ) || /^(?:tests?|agents)\//.test(path)

const isProgram = (path: string): boolean =>
  path.startsWith('scripts/') && (hasScriptExtension(path) || extensionOf(path) === '') && !isExpected(path)

const startsWithShebang = (file: string, files: Files): boolean => readSome(file, 16, files).startsWith('#!')
