import { FileError } from '../core/errors.ts'
import type { FileEntry, Tool, ToolResult, Workspace } from '../core/ports.ts'
import { compileRegex, RegexTimeout, type SafeRegex } from '../lib/regex.ts'
import { toolLimits } from './limits.ts'
import { withFileErrors } from './tool-error.ts'

/** Lines of the workspace's text files that match a regular expression, as `path:line: text`. */
export const grepTool = (): Tool => ({
  type: 'grep',
  risk: 'low',
  run: async (params, { workspace }) => {
    const flags = params.ignore_case === true ? 'i' : ''
    const compiled = await compileRegex(`/${String(params.pattern)}/${flags}`)
    if (!compiled.ok) return { status: 'error', text: `pattern: ${compiled.message}` }
    try {
      return withFileErrors(() => search(workspace, String(params.path ?? '.'), compiled.regex))
    } catch (error) {
      if (error instanceof RegexTimeout) return { status: 'error', text: error.message }
      throw error
    }
  },
})

const search = (workspace: Workspace, path: string, regex: SafeRegex): ToolResult => {
  if (workspace.stat(path) === undefined) return { status: 'error', text: `${path} does not exist` }
  const all = workspace.files(path, toolLimits.grepFiles + 1)
  const { files, notes } = searchable(all)
  const found: string[] = []
  let unreadable = 0
  const isLate = deadline(toolLimits.grepMs)
  for (const file of files) {
    const text = readText(workspace, file)
    if (text === undefined) unreadable += 1
    for (const match of matchesIn(file.path, text ?? '', regex, isLate)) {
      if (found.length === toolLimits.grepMatches) {
        return { status: 'ok', text: [...found, `[cut at ${toolLimits.grepMatches} matches]`, ...notes].join('\n') }
      }
      found.push(match)
    }
    if (isLate()) {
      notes.push(`[stopped at ${file.path} after ${toolLimits.grepMs / 1000} s: the rest was not searched]`)
      break
    }
  }
  if (unreadable > 0) notes.push(`[${unreadable} files could not be read]`)
  return { status: 'ok', text: [...(found.length === 0 ? ['no match'] : found), ...notes].join('\n') }
}

/** The files that are searched, and what is said of the others: a search must not take for ever. */
const searchable = (all: readonly FileEntry[]): { readonly files: readonly FileEntry[]; readonly notes: string[] } => {
  const { grepFiles, grepFileBytes, grepBytes } = toolLimits
  const small = all.slice(0, grepFiles).filter((file) => file.size <= grepFileBytes)
  const large = Math.min(all.length, grepFiles) - small.length
  let bytes = 0
  const files = small.filter((file) => {
    bytes += file.size
    return bytes <= grepBytes
  })
  const notes: string[] = []
  if (large > 0) notes.push(`[${large} files over ${grepFileBytes} bytes were not searched]`)
  if (files.length < small.length)
    notes.push(`[${small.length - files.length} files beyond ${grepBytes} bytes in all were not searched]`)
  if (all.length > grepFiles) notes.push(`[only the first ${grepFiles} files were searched]`)
  return { files, notes }
}

/** The text of a file, nothing for a binary one; undefined where it can't be read: its name may be one that we refuse. */
const readText = (workspace: Workspace, file: FileEntry): string | undefined => {
  try {
    const { content } = workspace.read(file.path, toolLimits.grepFileBytes)
    return content.subarray(0, 8192).includes(0) ? '' : new TextDecoder().decode(content)
  } catch (error) {
    if (error instanceof FileError) return undefined
    throw error
  }
}

/** Whether so much time has passed: bounds on bytes alone leave room for hours of lines that are slow to decide. */
const deadline = (ms: number): (() => boolean) => {
  const end = performance.now() + ms
  return () => performance.now() > end
}

function* matchesIn(path: string, text: string, regex: SafeRegex, isLate: () => boolean): Iterable<string> {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  for (const [i, line] of lines.entries()) {
    if ((line.length > 1000 || i % 1000 === 0) && isLate()) return
    if (!regex.test(line)) continue
    const isCut = line.length > toolLimits.grepLineChars
    yield `${path}:${i + 1}: ${isCut ? `${line.slice(0, toolLimits.grepLineChars)}…` : line}`
  }
}
