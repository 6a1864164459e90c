/** The last segment of a path; '' for the root. */
export const baseName = (path: string): string => {
  const trimmed = trimSlashes(path)
  return trimmed.slice(trimmed.lastIndexOf('/') + 1)
}

/** The folder of a path: `/a/b` → `/a`, `b` → `.`. */
export const dirName = (path: string): string => {
  const trimmed = trimSlashes(path)
  const at = trimmed.lastIndexOf('/')
  if (at === -1) return '.'
  return at === 0 ? '/' : trimmed.slice(0, at)
}

export const joinPath = (dir: string, name: string): string => (dir.endsWith('/') ? dir + name : `${dir}/${name}`)

/** The extension with its dot, in lowercase; '' where there is none. */
export const extensionOf = (path: string): string => {
  const name = baseName(path)
  const at = name.lastIndexOf('.')
  return at <= 0 ? '' : name.slice(at).toLowerCase()
}

/** Whether an absolute path is `dir` or lies below it; both with links resolved. */
export const isInside = (dir: string, path: string): boolean => path === dir || path.startsWith(joinPath(dir, ''))

const trimSlashes = (path: string): string => {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path === '/' ? '' : path.slice(0, end)
}
