import { baseName, extensionOf } from '../paths.ts'
import type { CodeLanguage } from './scan-code.ts'

export type FileNature =
  | { readonly kind: 'document' | 'data' | 'media' }
  | { readonly kind: 'code'; readonly language: CodeLanguage }
  /** A program as machines read it; bytecode; an archive; anything else that is no text. */
  | { readonly kind: 'program' | 'compiled' | 'archive' | 'unknown'; readonly what: string }

/** What a file is for a scan: its first bytes count more than its name. */
export const fileNature = (path: string, head: Uint8Array, text: string): FileNature => {
  const extension = extensionOf(path)
  const start = Buffer.from(head.subarray(0, 8)).toString('latin1')
  if (/^(?:\x7fELF|MZ[\s\S]{2}[\s\S]*\0|\xcf\xfa\xed\xfe|\xce\xfa\xed\xfe|\xca\xfe\xba\xbe)/.test(start))
    return extension === '.class'
      ? { kind: 'compiled', what: 'compiled code' }
      : { kind: 'program', what: 'a compiled program' }
  if (/^\x00asm/.test(start) || compiled.has(extension)) return { kind: 'compiled', what: 'compiled code' }
  const language = languageOf(extension, text)
  if (language !== undefined) return { kind: 'code', language }
  if (macros.has(extension)) return { kind: 'archive', what: 'an office document that can hold macros' }
  if (media.has(extension)) return { kind: 'media' }
  if (/^(?:PK\x03\x04|\x1f\x8b|BZh|7z\xbc\xaf|Rar!|\xfd7zXZ)/.test(start) || archives.has(extension))
    return { kind: 'archive', what: 'an archive' }
  if (!isText(text)) return { kind: 'unknown', what: 'a file that is no text' }
  return /\.(?:md|markdown|mdx|txt|rst|adoc|html?)$/i.test(path) || extension === ''
    ? { kind: 'document' }
    : { kind: 'data' }
}

/** Whether it begins as a text does: without a NUL, and with few other control characters. */
export const isText = (text: string): boolean => {
  const start = text.slice(0, 8192)
  if (start.includes('\0')) return false
  const controls = start.match(/[\x01-\x08\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0
  return controls * 10 <= start.length
}

const languageOf = (extension: string, text: string): CodeLanguage | undefined => {
  const [, interpreter] = /^#![^\n]{0,100}?\b(bash|sh|zsh|ksh|python|node|deno|bun|perl|ruby|php)/.exec(text) ?? []
  if (interpreter !== undefined) return interpreters.get(interpreter) ?? 'other'
  return extensions.get(extension)
}

const extensions: ReadonlyMap<string, CodeLanguage> = new Map<string, CodeLanguage>([
  ...['.sh', '.bash', '.zsh', '.ksh'].map((name) => [name, 'shell'] as const),
  ...['.py', '.pyw'].map((name) => [name, 'python'] as const),
  ...['.js', '.mjs', '.cjs', '.ts', '.mts', '.jsx', '.tsx'].map((name) => [name, 'javascript'] as const),
  ...['.rb', '.pl', '.php', '.ps1', '.bat', '.cmd', '.lua', '.go', '.rs', '.java', '.applescript', '.vbs', '.fish'].map(
    (name) => [name, 'other'] as const,
  ),
])

const interpreters: ReadonlyMap<string, CodeLanguage> = new Map<string, CodeLanguage>([
  ...['bash', 'sh', 'zsh', 'ksh'].map((name) => [name, 'shell'] as const),
  ['python', 'python'],
  ...['node', 'deno', 'bun'].map((name) => [name, 'javascript'] as const),
])

const compiled = new Set([
  '.pyc',
  '.pyo',
  '.class',
  '.jar',
  '.war',
  '.wasm',
  '.so',
  '.dll',
  '.dylib',
  '.exe',
  '.node',
  '.msi',
  '.apk',
  '.beam',
])
const archives = new Set([
  '.zip',
  '.gz',
  '.tgz',
  '.tar',
  '.bz2',
  '.xz',
  '.7z',
  '.rar',
  '.zst',
  '.whl',
  '.dmg',
  '.iso',
  '.skill',
])
const macros = new Set(['.docm', '.xlsm', '.pptm', '.dotm', '.xlam'])
const media = new Set(
  [
    [
      '.png',
      '.jpg',
      '.jpeg',
      '.gif',
      '.webp',
      '.ico',
      '.bmp',
      '.tiff',
      '.avif',
      '.pdf',
      '.ttf',
      '.otf',
      '.woff',
      '.woff2',
      '.eot',
    ],
    [
      '.mp3',
      '.mp4',
      '.wav',
      '.ogg',
      '.webm',
      '.mov',
      '.docx',
      '.xlsx',
      '.pptx',
      '.dotx',
      '.potx',
      '.odt',
      '.ods',
      '.odp',
      '.epub',
    ],
    ['.sqlite', '.db', '.parquet'],
  ].flat(),
)

/** Hidden files that every repository has. */
export const isUsualHidden = (path: string): boolean =>
  /^\.(?:gitignore|gitattributes|gitkeep|keep|editorconfig|npmignore|prettierrc.*|eslintrc.*|dockerignore|nvmrc|python-version|env\.example|env\.sample|markdownlint.*|claude-plugin|github|ds_store|skillignore)$/i.test(
    baseName(path),
  )
