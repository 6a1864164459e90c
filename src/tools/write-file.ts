import type { Tool } from '../core/ports.ts'
import { toolLimits } from './limits.ts'
import { withFileErrors } from './tool-error.ts'

/** Creates or replaces a text file of the workspace, atomically. */
export const writeFileTool = (): Tool => ({
  type: 'write_file',
  risk: 'high',
  run: async (params, { workspace }) =>
    withFileErrors(() => {
      const path = String(params.path)
      const content = new TextEncoder().encode(String(params.content))
      if (content.length > toolLimits.writeBytes) {
        return { status: 'error', text: `the content is larger than ${toolLimits.writeBytes} bytes` }
      }
      const existed = workspace.stat(path) !== undefined
      workspace.write(path, content)
      return { status: 'ok', text: `${existed ? 'replaced' : 'created'} ${path} (${content.length} bytes)` }
    }),
})
