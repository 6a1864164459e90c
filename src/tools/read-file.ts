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
      const wanted = typeof params.lines === 'string' ? params.lines : undefined
      const most = wanted === undefined ? toolLimits.readBytes : toolLimits.readLinesBytes
      const { content, bytes } = workspace.read(path, most)
      if (bytes === 0) return { status: 'ok', text: `${path} is empty` }
      if (content.subarray(0, 8192).includes(0)) {
        return { status: 'ok', text: `${path} is a binary file of ${bytes} bytes; its content is not shown` }
      }
      const isCut = bytes > content.length
      // Read as part of a stream: a character that the cut has halved is left out.
      const text = new TextDecoder().decode(content, { stream: isCut })
      if (wanted !== undefined) return someLines(path, text, wanted, isCut)
      if (!isCut) return { status: 'ok', text }
      return {
        status: 'ok',
        text: `${text}\n[cut: the first ${content.length} of ${bytes} bytes are shown; ${goOn(text, 1)}]`,
      }
    }),
})

const someLines = (path: string, text: string, wanted: string, isCut: boolean): ToolResult => {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const range = parseLineRange(wanted)
  if (!range) return { status: 'error', text: `lines ${wanted}: give "first-last", counted from 1` }
  const head = `its first ${toolLimits.readLinesBytes} bytes, further than which is not read`
  if (range.first > lines.length) {
    const has = `${path} has ${counted(lines.length)}${isCut ? ` in ${head}` : ''}`
    return { status: 'error', text: `lines ${wanted}: ${has}` }
  }
  const shown = lines.slice(range.first - 1, range.last).join('\n')
  const part = capped(shown)
  if (part !== undefined) {
    return {
      status: 'ok',
      text: `${part}\n[cut: the lines are more than ${toolLimits.readBytes} bytes; ${goOn(part, range.first)}]`,
    }
  }
  return {
    status: 'ok',
    text: isCut && range.last >= lines.length ? `${shown}\n[cut: these are the last lines of ${head}]` : shown,
  }
}

/** The first of a text that is larger than may be shown, no character halved; undefined for a smaller one. */
const capped = (text: string): string | undefined => {
  // A character is at most three bytes to a unit of its length.
  if (text.length * 3 <= toolLimits.readBytes) return undefined
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= toolLimits.readBytes) return undefined
  return new TextDecoder().decode(bytes.subarray(0, toolLimits.readBytes), { stream: true })
}

/** How to read on after a part whose first line is `first`, and whose last one may be half a line. */
const goOn = (part: string, first: number): string => {
  const next = first + part.split('\n').length - 1
  return next > first ? `go on with lines "${next}-"` : `line ${first} alone is longer than that`
}

const counted = (lines: number): string => (lines === 1 ? '1 line' : `${lines} lines`)
