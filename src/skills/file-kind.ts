import { extensionOf } from './paths.ts'

const scriptExtensions: ReadonlySet<string> = new Set(['.py', '.sh', '.bash', '.js', '.mjs', '.cjs', '.ts'])

/** Whether a skill's file is to be run, not read: below scripts/, or with the extension of an interpreter. */
export const isScript = (path: string): boolean =>
  path.toLowerCase().startsWith('scripts/') || scriptExtensions.has(extensionOf(path))

/** Whether a script's extension says that it is meant to be started by an interpreter. */
export const hasScriptExtension = (path: string): boolean => scriptExtensions.has(extensionOf(path))

// How the first bytes of what skills carry along look when they are decoded leniently as UTF-8.
const magic: readonly (readonly [string, string])[] = [
  ['\ufffdPNG', 'PNG image'],
  ['\ufffd\ufffd\ufffd', 'JPEG image'],
  ['GIF8', 'GIF image'],
  ['%PDF-', 'PDF document'],
  ['PK\x03\x04', 'zip archive'],
  ['\x1f\ufffd', 'gzip archive'],
  ['BZh', 'bzip2 archive'],
  ['SQLite format 3', 'SQLite database'],
  ['\x7fELF', 'program'],
  ['\x00asm', 'WebAssembly module'],
  ['wOFF', 'font'],
  ['wOF2', 'font'],
  ['\x00\x01\x00\x00', 'font'],
  ['OTTO', 'font'],
  ['RIFF', 'RIFF media file'],
  ['OggS', 'Ogg media file'],
  ['ID3', 'MP3 audio'],
]

const office: ReadonlyMap<string, string> = new Map([
  ['.docx', 'Word document'],
  ['.xlsx', 'Excel workbook'],
  ['.pptx', 'PowerPoint presentation'],
])

/** What a binary file is, by its first characters, decoded leniently, then its extension. */
export const binaryType = (path: string, head: string): string => {
  const extension = extensionOf(path)
  const byMagic = magic.find(([start]) => head.startsWith(start))?.[1]
  return office.get(extension) ?? byMagic ?? (extension === '' ? 'binary file' : `binary ${extension} file`)
}
