import { FileError } from '../core/errors.ts'
import type { FileEntry, Tool, ToolResult, Workspace } from '../core/ports.ts'
import { compileRegex, type SafeRegex } from '../lib/regex.ts'
import { toolLimits } from './limits.ts'

/** Lines of the workspace's text files that match a regular expression, as `path:line: text`. */
export const grepTool = (): Tool => ({
  type: 'grep',
  risk: 'low',
  run: async (params, { workspace }) => {
    const flags = params.ignore_case === true ? 'i' : ''
    const compiled = await compileRegex(`/${String(params.pattern)}/${flags}`)
    if (!compiled.ok) return { status: 'error', text: `the pattern is not a regular expression: ${compiled.message}` }
    try {
      return search(workspace, String(params.path ?? '.'), compiled.regex)
    } catch (error) {
      if (error instanceof FileError) return { status: 'error', text: error.message }
      throw error
    }
  },
})

const search = (workspace: Workspace, path: string, regex: SafeRegex): ToolResult => {
  if (workspace.stat(path) === undefined) return { status: 'error', text: `${path} does not exist` }
  const files = workspace.files(path, toolLimits.grepFiles)
  const found: string[] = []
  for (const file of files) {
    for (const match of matchesIn(workspace, file, regex)) {
      if (found.length >= toolLimits.grepMatches) {
        return { status: 'ok', text: `${found.join('\n')}\n[cut at ${toolLimits.grepMatches} matches]` }
      }
      found.push(match)
    }
  }
  const skipped = files.filter((file) => file.size > toolLimits.grepFileBytes).length
  const note = skipped > 0 ? `\n[${skipped} files over ${toolLimits.grepFileBytes} bytes were not searched]` : ''
  return { status: 'ok', text: (found.length === 0 ? 'no match' : found.join('\n')) + note }
}

function* matchesIn(workspace: Workspace, file: FileEntry, regex: SafeRegex): Iterable<string> {
  if (file.size > toolLimits.grepFileBytes) return
  const { content } = workspace.read(file.path, toolLimits.grepFileBytes)
  if (content.subarray(0, 8192).includes(0)) return
  const lines = new TextDecoder().decode(content).split('\n')
  for (const [i, line] of lines.entries()) {
    if (regex.test(line)) yield `${file.path}:${i + 1}: ${line.slice(0, toolLimits.grepLineChars)}`
  }
}
