import { FileError } from '../../core/errors.ts'
import type { FileKind, Files } from '../../core/ports.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true })

type Entry = Uint8Array | { readonly link: string }

/**
 * Files held in memory, by absolute path; a value `{link: target}` is a link. For tests, and for checking text that
 * is not on disk. `opened` is told each path whose content is read.
 */
export const memoryFiles = (
  entries: Readonly<Record<string, string | Entry>>,
  opened: (path: string, bytes: number) => void = () => undefined,
): Files => {
  const nodes = new Map<string, Entry>()
  for (const [path, value] of Object.entries(entries)) {
    nodes.set(normal(path), typeof value === 'string' ? new TextEncoder().encode(value) : value)
  }
  const isDir = (path: string) => path === '/' || [...nodes.keys()].some((key) => key.startsWith(`${path}/`))

  const realPath = (path: string, depth = 0): string | undefined => {
    if (depth > 40) return undefined
    const parts = normal(path).split('/').filter(Boolean)
    let at = ''
    for (const [i, part] of parts.entries()) {
      at = `${at}/${part}`
      const node = nodes.get(at)
      if (node && 'link' in node) {
        const target = node.link.startsWith('/') ? node.link : `${at.slice(0, at.lastIndexOf('/'))}/${node.link}`
        return realPath([target, ...parts.slice(i + 1)].join('/'), depth + 1)
      }
    }
    const found = at === '' ? '/' : at
    return nodes.has(found) || isDir(found) ? found : undefined
  }

  const bytes = (path: string): Uint8Array => {
    const real = realPath(path)
    const node = real === undefined ? undefined : nodes.get(real)
    if (real !== undefined && node === undefined) throw new FileError('not_a_file', `${path} is a folder, not a file`)
    if (node === undefined || 'link' in node) throw new FileError('file_missing', `${path} does not exist`)
    return node
  }

  const readBytes = (path: string, maxBytes: number): Uint8Array => {
    const content = bytes(path)
    if (content.length > maxBytes)
      throw new FileError('file_too_large', `${path} is larger than ${maxBytes.toLocaleString('en')} bytes`)
    opened(path, content.length)
    return content
  }

  const readText = (path: string, maxBytes: number): string => {
    const content = readBytes(path, maxBytes)
    try {
      return decoder.decode(content)
    } catch (cause) {
      throw new FileError('not_utf8', `${path} is not UTF-8 text`, { cause })
    }
  }

  const stat = (path: string): { kind: FileKind; size: number } | undefined => {
    const real = realPath(path)
    if (real === undefined) return undefined
    const node = nodes.get(real)
    return node instanceof Uint8Array ? { kind: 'file', size: node.length } : { kind: 'dir', size: 0 }
  }

  const files: Files = {
    readText,
    readBytes,
    readHead: (path, maxBytes) => {
      const content = bytes(path)
      opened(path, Math.min(maxBytes, content.length))
      return { text: lenientDecoder.decode(content.subarray(0, maxBytes)), size: content.length }
    },
    readStart: (path, maxBytes) => {
      const content = bytes(path)
      opened(path, Math.min(maxBytes, content.length))
      return content.subarray(0, maxBytes)
    },
    lines: function* (path) {
      const lines = readText(path, Number.POSITIVE_INFINITY)
        .replace(/^\ufeff/, '')
        .split(/\r?\n/)
      yield* lines.at(-1) === '' ? lines.slice(0, -1) : lines
    },
    stat,
    list: (path) => {
      const real = realPath(path)
      if (real === undefined) return []
      const prefix = real === '/' ? '/' : `${real}/`
      const names = new Set<string>()
      for (const key of nodes.keys())
        if (key.startsWith(prefix)) names.add(key.slice(prefix.length).split('/')[0] ?? '')
      return [...names].sort().map((name) => {
        const node = nodes.get(prefix + name)
        return { name, kind: stat(prefix + name)?.kind ?? 'other', isLink: node !== undefined && 'link' in node }
      })
    },
    canList: () => true,
    canRun: () => undefined,
    realPath: (path) => realPath(path),
    // Nothing here changes: what had no link in it has none.
    resolved: () => files,
  }
  return files
}

const normal = (path: string): string => {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
