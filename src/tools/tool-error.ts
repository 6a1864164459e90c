import { FileError } from '../core/errors.ts'
import type { ToolResult } from '../core/ports.ts'

/** Runs a file tool; what the workspace refused becomes an observation that the model can act on. */
export const withFileErrors = (action: () => ToolResult): ToolResult => {
  try {
    return action()
  } catch (error) {
    if (error instanceof FileError) return { status: 'error', text: error.message }
    throw error
  }
}
