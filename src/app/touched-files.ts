import { FileError } from '../core/errors.ts'
import type { FileEntry, Workspace } from '../core/ports.ts'
import { isKept, ownerIn, parentOf } from './own-files.ts'
import { type FolderLook, programChanges } from './program-changes.ts'

/** A file of the workspace as it was before anything touched it; `problem` where it was not kept. */
export type TouchedFile = { readonly path: string } & (
  | { readonly content: Uint8Array }
  /** `isFull`: there was no room for it among those that are needed no more than it was. */
  | { readonly problem: string; readonly isFull?: true }
)

export type TouchedFiles = {
  /** The same workspace; what is read, listed or changed through it is kept as it was before. */
  readonly workspace: Workspace
  /** The words of a program's arguments: those that name a file or a folder are taken for read. */
  noteArguments(args: readonly string[]): void
  /**
   * To be called before a program starts that is not seen into, and what it gives once that has ended: what it made is
   * no file of before, and what it changed was another one.
   */
  watch(program: 'script' | 'tool'): () => void
  /** The workspace for one search; `done` is told of the files in which something was found. */
  search(): { readonly workspace: Workspace; done(isFound: (path: string) => boolean): void }
  /** Sorted by path. Files that were not there before are not among them. */
  before(): readonly TouchedFile[]
  /** Paths that were asked for, or made later, and at which no file was. */
  absent(): readonly string[]
  /** Folders that were seen or needed, and were there before. */
  folders(): readonly string[]
  /** Folders that its programs made. */
  madeFolders(): readonly string[]
  /** What was written or deleted through the workspace: whether it is there now. */
  changed(): readonly { readonly path: string; readonly exists: boolean }[]
  /** What a tool of others made and was looked at later: another time the tool may not be there to make it. */
  madeByTools(): readonly string[]
}

const limits = { fileBytes: 256 * 1024, bytes: 2 * 1024 * 1024, files: 200 } as const

/** What was touched another time, in a conversation that goes on. */
export type TouchedBefore = {
  readonly files: readonly TouchedFile[]
  /** Paths at which nothing was. */
  readonly absent: readonly string[]
  readonly folders: readonly string[]
  readonly changed: readonly string[]
  /** What its programs made. */
  readonly madeFolders: readonly string[]
  readonly madeByTools: readonly string[]
}

/** What is most needed comes first where there is too much. */
const ranks = { named: 0, seen: 1, searched: 2, made: 3 } as const
type Rank = (typeof ranks)[keyof typeof ranks]

type Entry = { rank: Rank; file: TouchedFile | undefined }

/** Remembers what a run touched, so that a case can lay it out again. Bounded: what is more is named and not kept. */
export const touchedFiles = (inner: Workspace, look: FolderLook, earlier?: TouchedBefore): TouchedFiles => {
  const { files = [], absent = [] } = earlier ?? {}
  const known = [
    ...files.map((file) => ({ path: file.path, file })),
    ...absent.map((path) => ({ path, file: undefined })),
  ]
  const entries = new Map(known.map(({ path, file }): [string, Entry] => [path, { rank: ranks.named, file }]))
  const folders = new Set(earlier?.folders)
  const changes = new Set(earlier?.changed)
  const made = {
    files: new Set<string>(),
    folders: new Set(earlier?.madeFolders),
    byTools: new Set<string>(),
  }
  const lookedAt = new Set(earlier?.madeByTools)
  const ownerOf = ownerIn(inner)
  const programs = programChanges(inner, look, ownerOf)
  const kept = files.flatMap((file) => ('content' in file ? [file.content.length] : []))
  const held = [0, 1, 2, 3].map(() => ({ bytes: 0, files: 0 }))
  held[ranks.named] = { bytes: kept.reduce((sum, length) => sum + length, 0), files: kept.length }

  /** As much of each rank as a case can have: which of it fits is known at the end. */
  const hold = (path: string, size: number, rank: Rank, read: () => Uint8Array): TouchedFile => {
    const of = held[rank] ?? { bytes: 0, files: 0 }
    const problem = tooMuch(of, size)
    if (problem !== undefined) return { path, problem, isFull: true }
    const content = read()
    of.bytes += content.length
    of.files += 1
    return { path, content }
  }
  const read = (path: string, size: number, rank: Rank): TouchedFile => {
    if (isKept(path)) return { path, problem: 'it belongs to the configuration or to version control' }
    if (programs.mayHaveChanged(path))
      return { path, problem: 'it was looked at only after a program had run, which may have changed it' }
    if (size > limits.fileBytes) return { path, problem: `it is larger than ${limits.fileBytes / 1024} KiB` }
    return hold(path, size, rank, () => Uint8Array.from(inner.read(path, limits.fileBytes).content))
  }

  /** By the path that the workspace itself knows it by. */
  const note = (written: string, how: 'named' | 'seen' | 'searched'): void =>
    ifSeen(() => {
      const found = inner.stat(written)
      const path = found?.path ?? normal(written)
      const owner = ownerOf(path)
      if (how !== 'named' && (owner === 'kept' || (how === 'searched' && owner === 'made'))) return
      if (made.byTools.has(path)) lookedAt.add(path)
      if (!made.files.has(path)) enter(path, found, owner === 'made' ? ranks.made : ranks[how])
    })
  const enter = (path: string, found: FileEntry | undefined, rank: Rank): void => {
    const isFile = found?.kind === 'file'
    const old = entries.get(path)
    if (old === undefined) entries.set(path, { rank, file: isFile ? read(path, found.size, rank) : undefined })
    else if (rank < old.rank) {
      old.rank = rank
      if (isFile && isFull(old) && !changes.has(path)) old.file = read(path, found.size, rank)
    }
  }
  const noteWord = (word: string): void =>
    ifSeen(() => {
      const found = inner.stat(word)
      if (found?.kind === 'dir') noteFolder(found.path)
      else note(word, 'named')
    })
  const noteFolder = (folder: string): void => {
    if (folder !== '') folders.add(folder)
    const isOfOthers = folder !== '' && ownerOf(`${folder}/x`) !== 'own'
    for (const path of below(folder)) if (isOfOthers || ownerOf(path) === 'own') note(path, 'seen')
  }
  const below = (folder: string): readonly string[] => {
    const paths = [...look.list().files.keys()].filter((path) => folder === '' || path.startsWith(`${folder}/`))
    return paths.length > 0 ? paths.sort() : inner.files(folder || '.', limits.files).map(({ path }) => path)
  }
  const noteMadeFolders = (path: string): void => {
    for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
      if (inner.stat(above) === undefined) made.folders.add(above)
    }
  }
  const noteChanged = (path: string, content: Uint8Array | undefined): void => {
    if (made.files.has(path)) return
    const old = entries.get(path)
    const usual = ownerOf(path) === 'own' ? ranks.seen : ranks.made
    const rank = old && old.rank < usual ? old.rank : usual
    if (old && !isFull(old)) {
      old.rank = rank
      return
    }
    const file: TouchedFile =
      content === undefined
        ? { path, problem: 'a program changed it before it was looked at' }
        : hold(path, content.length, rank, () => content)
    entries.set(path, { rank, file })
  }

  return {
    workspace: {
      ...inner,
      read: (path, maxBytes) => {
        note(path, 'named')
        return inner.read(path, maxBytes)
      },
      list: (path) => {
        const listed = inner.list(path)
        for (const { path, kind } of listed) {
          if (kind === 'file') note(path, 'seen')
          if (kind === 'dir') folders.add(path)
        }
        return listed
      },
      write: (path, content) => {
        note(path, 'named')
        const known = normal(path)
        noteMadeFolders(known)
        inner.write(path, content)
        changes.add(inner.stat(path)?.path ?? known)
      },
      remove: (path) => {
        note(path, 'named')
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
    watch: (program) => {
      const ended = programs.watch()
      return () => {
        const { made: files, madeFolders, filledFolders, changed } = ended()
        for (const path of files) {
          if (entries.get(path)?.file === undefined) made.files.add(path)
          if (program === 'tool') made.byTools.add(path)
        }
        for (const folder of madeFolders) if (!folders.has(folder)) made.folders.add(folder)
        for (const folder of filledFolders) folders.add(folder)
        for (const { path, content } of changed) noteChanged(path, content)
      }
    },
    search: () => {
      const paths = new Set<string>()
      return {
        workspace: {
          ...inner,
          read: (path, maxBytes) => {
            paths.add(path)
            return inner.read(path, maxBytes)
          },
        },
        done: (isFound) => {
          for (const path of paths) note(path, isFound(path) ? 'named' : 'searched')
        },
      }
    },
    before: () =>
      chosen([...entries.values()].flatMap(({ rank, file }) => (file === undefined ? [] : [{ rank, file }]))),
    absent: () => {
      const missing = [...entries].flatMap(([path, { file }]) => (file === undefined ? [path] : []))
      return [...new Set([...missing, ...made.files])].sort()
    },
    folders: () => [...folders].filter((folder) => !made.folders.has(folder)).sort(),
    madeFolders: () => [...made.folders].sort(),
    changed: () => [...changes].sort().map((path) => ({ path, exists: inner.stat(path) !== undefined })),
    madeByTools: () => [...lookedAt].sort(),
  }
}

/** What can't be looked at was not seen by the agent either. */
const ifSeen = (action: () => void): void => {
  try {
    action()
  } catch (error) {
    if (!(error instanceof FileError)) throw error
  }
}

const isFull = ({ file }: Entry): boolean => file !== undefined && 'problem' in file && file.isFull === true

const tooMuch = ({ bytes, files }: { bytes: number; files: number }, more: number): string | undefined => {
  if (bytes + more > limits.bytes) return 'the files are more than 2 MiB together'
  return files === limits.files ? `there are more than ${limits.files} files` : undefined
}

/** What was only searched, in vain, is missed by nobody. */
const chosen = (entries: readonly { readonly rank: Rank; readonly file: TouchedFile }[]): readonly TouchedFile[] => {
  const sum = { bytes: 0, files: 0 }
  const sorted = entries.toSorted((a, b) => a.rank - b.rank || (a.file.path < b.file.path ? -1 : 1))
  return sorted
    .flatMap(({ rank, file }): TouchedFile[] => {
      const { path } = file
      const problem = 'problem' in file ? file.problem : tooMuch(sum, file.content.length)
      if (problem !== undefined) return rank === ranks.searched ? [] : [{ path, problem }]
      sum.bytes += 'content' in file ? file.content.length : 0
      sum.files += 1
      return [file]
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

const normal = (path: string): string => path.replace(/^(\.\/)+/, '')
