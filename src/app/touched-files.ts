import { FileError } from '../core/errors.ts'
import type { Workspace } from '../core/ports.ts'

/** A file of the workspace as it was before anything touched it; `problem` where it was not kept. */
export type TouchedFile = { readonly path: string } & ({ readonly content: Uint8Array } | { readonly problem: string })

export type TouchedFiles = {
  /** The same workspace; what is read, listed or changed through it is kept as it was before. */
  readonly workspace: Workspace
  /** The words of a program's arguments: those that name a file or a folder are taken for read. */
  noteArguments(args: readonly string[]): void
  /** Sorted by path. Files that were not there before are not among them. */
  before(): readonly TouchedFile[]
  /** Paths that were asked for and at which no file was. */
  absent(): readonly string[]
  /** Folders that were seen in a listing. */
  folders(): readonly string[]
  /** What was written or deleted through the workspace: whether it is there now. */
  changed(): readonly { readonly path: string; readonly exists: boolean }[]
}

const limits = { fileBytes: 256 * 1024, bytes: 2 * 1024 * 1024, files: 200 } as const

/** What was touched another time, in a conversation that goes on. */
export type TouchedBefore = {
  readonly files: readonly TouchedFile[]
  /** Paths at which nothing was. */
  readonly absent: readonly string[]
  readonly folders: readonly string[]
  readonly changed: readonly string[]
}

/** Remembers what a run touched, so that a case can lay it out again. Bounded: what is more is named and not kept. */
export const touchedFiles = (inner: Workspace, earlier?: TouchedBefore): TouchedFiles => {
  const seen = new Map<string, TouchedFile | undefined>([
    ...(earlier?.files ?? []).map((file) => [file.path, file] as const),
    ...(earlier?.absent ?? []).map((path) => [path, undefined] as const),
  ])
  const folders = new Set(earlier?.folders)
  const changes = new Set(earlier?.changed)
  const kept = [...seen.values()].flatMap((file) => (file && 'content' in file ? [file.content.length] : []))
  let bytes = kept.reduce((sum, length) => sum + length, 0)
  let files = kept.length

  const read = (path: string, size: number): TouchedFile => {
    if (size > limits.fileBytes) return { path, problem: `it is larger than ${limits.fileBytes / 1024} KiB` }
    if (bytes + size > limits.bytes) return { path, problem: 'the files are more than 2 MiB together' }
    if (files === limits.files) return { path, problem: `there are more than ${limits.files} files` }
    const { content } = inner.read(path, limits.fileBytes)
    bytes += content.length
    files += 1
    return { path, content: Uint8Array.from(content) }
  }

  /** By the path that the workspace itself knows it by. What can't be looked at was not seen by the agent either. */
  const note = (written: string): void => {
    try {
      const entry = inner.stat(written)
      const path = entry?.path ?? normal(written)
      if (seen.has(path)) return
      seen.set(path, entry?.kind === 'file' ? read(path, entry.size) : undefined)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
    }
  }
  const noteAll = (entries: readonly { readonly path: string; readonly kind: string }[]): void => {
    for (const { path, kind } of entries) {
      if (kind === 'file') note(path)
      if (kind === 'dir') folders.add(path)
    }
  }
  const noteWord = (word: string): void => {
    try {
      if (inner.stat(word)?.kind === 'dir') noteAll(inner.files(word, limits.files))
      else note(word)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
    }
  }

  return {
    workspace: {
      ...inner,
      read: (path, maxBytes) => {
        note(path)
        return inner.read(path, maxBytes)
      },
      list: (path) => {
        const entries = inner.list(path)
        noteAll(entries)
        return entries
      },
      write: (path, content) => {
        note(path)
        inner.write(path, content)
        changes.add(inner.stat(path)?.path ?? normal(path))
      },
      remove: (path) => {
        note(path)
        const known = inner.stat(path)?.path ?? normal(path)
        inner.remove(path)
        changes.add(known)
      },
    },
    noteArguments: (args) => {
      for (const arg of args) {
        const words = arg.startsWith('-') ? [arg.slice(arg.indexOf('=') + 1)] : [arg]
        for (const word of words) if (word !== '' && word.length < 1000) noteWord(word)
      }
    },
    before: () => [...seen.values()].filter((file) => file !== undefined).sort((a, b) => (a.path < b.path ? -1 : 1)),
    absent: () => [...seen].flatMap(([path, file]) => (file === undefined ? [path] : [])).sort(),
    folders: () => [...folders].sort(),
    changed: () => [...changes].sort().map((path) => ({ path, exists: inner.stat(path) !== undefined })),
  }
}

const normal = (path: string): string => path.replace(/^(\.\/)+/, '')
