const drive = /^[A-Za-z]:[\\/]/

/**
 * A path as a suite has it → absolute, with `.` and `..` worked out and forward slashes. `dir` is the absolute folder
 * of the suite's file.
 */
export const resolvePath = (dir: string, written: string): string => {
  const whole = written.startsWith('/') || drive.test(written) ? written : `${dir}/${written}`
  const hasDrive = drive.test(whole)
  const segments: string[] = []
  for (const segment of (hasDrive ? whole.replaceAll('\\', '/') : whole).split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return hasDrive ? segments.join('/') : `/${segments.join('/')}`
}

/** Whether a path is this folder or below it. Both absolute, links resolved. */
export const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
