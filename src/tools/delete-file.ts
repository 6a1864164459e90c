import type { Tool } from '../core/ports.ts'
import { withFileErrors } from './tool-error.ts'

/** Deletes one file of the workspace; a link is deleted, not what it leads to. */
export const deleteFileTool = (): Tool => ({
  type: 'delete_file',
  risk: 'high',
  run: async (params, { workspace }) =>
    withFileErrors(() => {
      workspace.remove(String(params.path))
      return { status: 'ok', text: `deleted ${String(params.path)}` }
    }),
})
