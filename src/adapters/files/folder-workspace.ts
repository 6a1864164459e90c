import type { Workspace } from '../../core/ports.ts'
import { diskWorkspace } from './disk-workspace.ts'

/** A folder that is somebody's own, as a workspace: nothing is laid into it and it is not removed. */
export const folderWorkspace = (folder: string): Workspace => ({
  ...diskWorkspace(folder),
  dispose: async () => undefined,
})
