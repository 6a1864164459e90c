import { pathKey } from './entry-path.ts'

/**
 * Two paths that are one file or folder on some system, or a file that has others below it; `isFolder` as it is written.
 * Undefined where all are apart. Folders that are implied by the paths in them count too.
 */
export const findCollision = (
  entries: readonly { readonly path: string; readonly isFolder: boolean }[],
): readonly [string, string] | undefined => {
  /** By key: how it is spelt, and what it is. */
  const seen = new Map<string, { readonly path: string; readonly isFolder: boolean; isListed: boolean }>()
  const meets = (path: string, isFolder: boolean, isListed: boolean): string | undefined => {
    const key = pathKey(path)
    const other = seen.get(key)
    if (other === undefined) {
      seen.set(key, { path, isFolder, isListed })
      return undefined
    }
    if (other.path !== path || other.isFolder !== isFolder) return other.path
    if (isListed && other.isListed) return other.path
    other.isListed ||= isListed
    return undefined
  }
  for (const { path, isFolder } of entries) {
    const parts = path.split('/')
    for (let i = 1; i < parts.length; i += 1) {
      const folder = parts.slice(0, i).join('/')
      const other = meets(folder, true, false)
      if (other !== undefined) return [other, path]
    }
    const other = meets(path, isFolder, true)
    if (other !== undefined) return [other, path]
  }
  return undefined
}
