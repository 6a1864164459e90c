import { basename } from 'node:path'

/** Told each file that was changed, made or removed. */
export type FileWatch = { close(): Promise<void> }

/**
 * Watches files, and folders with all that is in them; what is not there is waited for where its folder is. Resolves once
 * changes are seen. What editors and programs leave beside files is no change.
 */
export const watchFiles = async (
  paths: readonly string[],
  ignored: readonly string[],
  onChange: (path: string) => void,
): Promise<FileWatch> => {
  const { watch } = await import('chokidar')
  const watcher = watch([...paths], {
    ignoreInitial: true,
    ignored: (path) =>
      isNoise(basename(path)) || ignored.some((folder) => path === folder || path.startsWith(`${folder}/`)),
  })
  watcher.on('all', (event, path) => {
    if (event !== 'addDir' && event !== 'unlinkDir') onChange(path)
  })
  // What can't be watched is not; the rest is.
  watcher.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    watcher.once('ready', () => resolve())
  })
  return { close: () => watcher.close() }
}

const noise: ReadonlySet<string> = new Set(['node_modules', '.git', '__pycache__', '.DS_Store', '4913'])

const isNoise = (name: string): boolean => noise.has(name) || /(?:~|\.sw[a-p]|\.pyc|\.tmp)$/.test(name)
