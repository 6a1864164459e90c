import type { Tool, ToolResult } from '../core/ports.ts'
import { toolLimits } from './limits.ts'
import { parseLineRange } from './line-range.ts'
import { withFileErrors } from './tool-error.ts'

/** A text file of the workspace, whole or some lines, capped; a binary one is described, not shown. */
export const readFileTool = (): Tool => ({
  type: 'read_file',
  risk: 'low',
  run: async (params, { workspace }) =>
    withFileErrors(() => {
      const path = String(params.path)
      const { content, bytes } = workspace.read(path, toolLimits.readBytes)
      if (content.subarray(0, 8192).includes(0)) {
        return { status: 'ok', text: `${path} is a binary file of ${bytes} bytes; its content is not shown.` }
      }
      const text = new TextDecoder().decode(content)
      const cut = bytes > content.length ? `\n[cut: ${content.length} of ${bytes} bytes are shown]` : ''
      return typeof params.lines === 'string'
        ? someLines(path, text, params.lines, cut)
        : { status: 'ok', text: text + cut }
    }),
})

const someLines = (path: string, text: string, wanted: string, cut: string): ToolResult => {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const range = parseLineRange(wanted)
  if (!range || range.first > lines.length) {
    return {
      status: 'error',
      text: `lines ${wanted}: ${path} has ${lines.length} lines; give "first-last", counted from 1`,
    }
  }
  return { status: 'ok', text: lines.slice(range.first - 1, range.last).join('\n') + cut }
}
