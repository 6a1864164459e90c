import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import { parseJson } from '../lib/json.ts'

const MAX_BYTES = 4 * 1024 * 1024

/** The value of a JSON file of at most 4 MiB. Throws a FileError for anything else. */
export const readJsonFile = (path: string, files: Files): unknown => {
  const parsed = parseJson(files.readText(path, MAX_BYTES), { maxBytes: MAX_BYTES })
  if (parsed.ok) return parsed.value
  const place = parsed.line === undefined ? '' : ` in line ${parsed.line}`
  throw new FileError('not_json', `${path} is not JSON${place}: ${parsed.message}`)
}
