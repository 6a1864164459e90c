/** Whether `path` is the folder or lies in it; both absolute, links resolved. */
export const contains = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
