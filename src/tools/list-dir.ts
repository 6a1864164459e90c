import type { Tool } from '../core/ports.ts'
import { visibleLine } from '../lib/visible.ts'
import { toolLimits } from './limits.ts'
import { withFileErrors } from './tool-error.ts'

/** Names in a folder of the workspace, folders with a slash, files with their size. */
export const listDirTool = (): Tool => ({
  type: 'list_dir',
  risk: 'low',
  run: async (params, { workspace }) =>
    withFileErrors(() => {
      const path = String(params.path ?? '.')
      const entries = workspace.list(path)
      const lines = entries.slice(0, toolLimits.listEntries).map((entry) => {
        const name = visibleLine(entry.path.slice(entry.path.lastIndexOf('/') + 1), 255)
        if (entry.kind === 'dir') return `${name}/`
        return entry.kind === 'file' ? `${name}  ${entry.size} bytes` : `${name}  (link or special file)`
      })
      if (entries.length > lines.length) lines.push(`[cut: ${lines.length} of ${entries.length} entries are shown]`)
      return { status: 'ok', text: lines.length === 0 ? `${path} is empty` : lines.join('\n') }
    }),
})
