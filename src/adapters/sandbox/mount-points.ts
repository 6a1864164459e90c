import { rmdirSync } from 'node:fs'
import { onExit } from '../process/on-exit.ts'
import { absentGuarded } from './guarded-entries.ts'

/**
 * Folders that appear in a workspace because something is mounted on them go when the last script in it has ended, not
 * before: removing one would take the mount from a script that still runs.
 */
export const mountPoints = (): { claim(workspace: string): () => void } => {
  const inUse = new Map<string, { readonly made: readonly string[]; scripts: number }>()
  return {
    claim: (workspace) => {
      const use = inUse.get(workspace) ?? { made: absentGuarded(workspace), scripts: 0 }
      use.scripts += 1
      inUse.set(workspace, use)
      const remove = () => use.made.forEach(removeEmpty)
      const takeBack = onExit(remove)
      return () => {
        takeBack()
        use.scripts -= 1
        if (use.scripts > 0) return
        inUse.delete(workspace)
        remove()
      }
    },
  }
}

const removeEmpty = (folder: string): void => {
  try {
    rmdirSync(folder)
  } catch {
    // It was never made, or somebody has put something there meanwhile: then it is theirs.
  }
}
