import { FileError } from '../core/errors.ts'

/** What `read` returns; undefined where the port says that the file can't be read. */
export const ifReadable = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof FileError) return undefined
    throw error
  }
}
