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
      if (bytes === 0) return { status: 'ok', text: `${path} is empty` }
      if (content.subarray(0, 8192).includes(0)) {
        return { status: 'ok', text: `${path} is a binary file of ${bytes} bytes; its content is not shown` }
      }
      const isCut = bytes > content.length
      // Read as part of a stream: a character that the cut has halved is left out.
      const text = new TextDecoder().decode(content, { stream: isCut })
      const cut = `[cut: the first ${content.length} of ${bytes} bytes are shown]`
      if (typeof params.lines === 'string') return someLines(path, text, params.lines, isCut ? cut : undefined)
      return { status: 'ok', text: isCut ? `${text}\n${cut}` : text }
    }),
})

const someLines = (path: string, text: string, wanted: string, cut: string | undefined): ToolResult => {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const range = parseLineRange(wanted)
  if (!range) return { status: 'error', text: `lines ${wanted}: give "first-last", counted from 1` }
  if (range.first > lines.length) {
    const has =
      cut === undefined
        ? `has ${counted(lines.length)}`
        : `is larger than can be read: it shows ${counted(lines.length)}`
    return { status: 'error', text: `lines ${wanted}: ${path} ${has}` }
  }
  const shown = lines.slice(range.first - 1, range.last).join('\n')
  return { status: 'ok', text: cut !== undefined && range.last >= lines.length ? `${shown}\n${cut}` : shown }
}

const counted = (lines: number): string => (lines === 1 ? '1 line' : `${lines} lines`)
