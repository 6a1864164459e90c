import { FileError } from '../../core/errors.ts'

const nothingThere: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

type Done = 'read' | 'written' | 'deleted'

/** Does something with the file at `path`; what the system refuses becomes a FileError in words about `shown`. */
export const onDisk = <T>(shown: string, action: () => T, done: Done = 'read'): T => {
  try {
    return action()
  } catch (error) {
    throw isSystemError(error) ? toFileError(error, shown, done) : error
  }
}

/** What the action gives, or undefined where the system says that nothing is there or that we may not look. */
export const ifThere = <T>(action: () => T): T | undefined => {
  try {
    return action()
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

export type SystemError = Error & { readonly code: string }

/** An error of the file system, or a path that it can't have: one with a NUL. */
export const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  ('syscall' in error || error.code === 'ERR_INVALID_ARG_VALUE')

/** Whether the system says that something may be there and that we may not look. */
export const isRefused = (error: unknown): error is SystemError =>
  isSystemError(error) && (error.code === 'EACCES' || error.code === 'EPERM')

const toFileError = (cause: SystemError, shown: string, done: Done): FileError => {
  if (nothingThere.has(cause.code)) return new FileError('file_missing', `${shown} does not exist`, { cause })
  const code = done === 'read' ? 'file_unreadable' : 'file_unwritable'
  return new FileError(code, `${shown} can't be ${done}: ${why(cause)}`, { cause })
}

const why = ({ code }: SystemError): string => {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `permission denied (${code})`
    case 'ELOOP':
      return 'a link in it leads round in circles'
    case 'ENAMETOOLONG':
      return 'the name is too long'
    case 'ENOSPC':
      return 'the disk is full'
    case 'EROFS':
      return 'the disk is read-only'
    case 'EISDIR':
      return 'it is a folder'
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open'
    case 'EDQUOT':
      return 'the quota of the disk is used up'
    case 'ETXTBSY':
    case 'EBUSY':
      return 'it is in use'
    case 'ERR_INVALID_ARG_VALUE':
      return 'no file can have that name'
    default:
      return code
  }
}
