import { dirname, relative, resolve, sep } from 'node:path'
import { findSuites } from '../adapters/files/find-suites.ts'
import { type FileWatch, watchFiles } from '../adapters/files/watch-files.ts'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import { interruptionCode } from '../core/interruptions.ts'
import { visibleLine } from '../lib/visible.ts'
import { MAX_SUITE_BYTES } from '../suite/limits.ts'
import type { Host } from './host.ts'
import { findProject, shownPath } from './project.ts'
import { type RunView, runEvals } from './run-evals.ts'
import { reportsFolder } from './run-folders.ts'
import type { RunOptions } from './run-options.ts'
import { type SuiteSources, suiteSources } from './suite-sources.ts'

/** What a person asks for while nothing runs. */
export type WatchCommand = 'all' | 'failed' | 'quit'

export type WatchView = RunView & {
  /** Shows what is wrong with files; the watch goes on. */
  broken(error: SkillsEvalError): Promise<void>
  /** The keys there are, in words. */
  readonly help?: string
  /** Calls back with what is asked for; returns what ends that. */
  commands(tell: (command: WatchCommand) => void): () => void
}

const quietMs = 100

/** No paths: nothing is to be run, and something is to be said. */
type Wish = { readonly paths: readonly string[]; readonly why: string; readonly isRerun?: boolean }

/** Suites that were to be run when something was broken, and the suite files that were read for that. */
type Owed = { readonly paths: readonly string[]; readonly files: readonly string[] }
const nothingOwed: Owed = { paths: [], files: [] }

/**
 * Runs the suites, then those that a change touches, until it is told to end. A broken suite is shown and waited for.
 * Returns 0 where a person quits, 129, 130 or 143 where a signal ended it.
 */
export const watchEvals = async (given: RunOptions, host: Host, view: WatchView): Promise<number> => {
  refuseMixed(given, host)
  const roots = given.paths.length === 0 ? ['evals'] : given.paths
  const project = findProject(host.cwd, host.home, host.files)
  let known: readonly SuiteSources[] = []
  let owed = nothingOwed

  const attempt = async (options: RunOptions): Promise<void> => {
    try {
      await runEvals(options, host, view)
      owed = nothingOwed
    } catch (error) {
      if (!(error instanceof SkillsEvalError)) throw error
      owed = { paths: options.paths, files: await suiteFiles(options.paths, host) }
      await view.broken(error)
    }
  }
  const look = async (): Promise<void> => {
    try {
      const { prepareRun } = await import('./prepare-run.ts')
      known = suiteSources(await prepareRun({ ...given, paths: roots }, host), given, host)
    } catch (error) {
      // It was shown when it was run.
      if (!(error instanceof SkillsEvalError)) throw error
      known = known.filter(({ file }) => host.files.stat(file) !== undefined)
    }
  }

  const inbox = openInbox(host.signal)
  const watched = watchedFiles(project.dir, reportsFolder(host, given.config), inbox.changed)
  const release = view.commands((command) => inbox.put(command))
  const isEnded = () => host.signal.aborted
  /** The next thing to run; undefined at the end. */
  const nextWish = async (): Promise<Wish | undefined> => {
    for (;;) {
      const message = await inbox.next()
      if (message === undefined || message === 'quit') return undefined
      if (message === 'all') return { paths: roots, why: 'all suites' }
      if (message === 'failed') return { paths: [], why: 'what did not pass', isRerun: true }
      const wish = touchedBy(message, { known, owed, roots, project: project.dir, host, given })
      if (wish) return wish
    }
  }
  try {
    await look()
    await watched.cover(known)
    await attempt({ ...given, paths: roots })
    while (!isEnded()) {
      await look()
      await watched.cover(known)
      const { length: count } = await suiteFiles(roots, host)
      host.stderr(`watching ${count === 1 ? '1 suite' : `${count} suites`}${view.help ?? ''}\n`)
      const wish = await nextWish()
      if (!wish && !isEnded()) return 0
      if (!wish) break
      host.stderr(`\n${visibleLine(wish.why, 2000)}\n`)
      if (wish.paths.length === 0 && !wish.isRerun) continue
      await attempt({
        ...given,
        paths: wish.paths,
        ...(wish.isRerun ? { rerun: ['failed', 'error', 'stale'] } : { passWithNoCases: true }),
      })
    }
    return interruptionCode(host.signal.reason)
  } finally {
    release()
    await watched.close()
  }
}

/** None where a folder can't be looked into: that is told when its suites are to be run. */
const suiteFiles = async (paths: readonly string[], { cwd }: Host): Promise<readonly string[]> => {
  try {
    return (await findSuites(paths, cwd)).files
  } catch (error) {
    if (error instanceof SkillsEvalError) return []
    throw error
  }
}

/** The project and what lies outside of it. A change is seen from the first run on, also while one is going on. */
const watchedFiles = (project: string, reports: string, onChange: (path: string) => void) => {
  let open: FileWatch | undefined
  let covered = ''
  return {
    cover: async (known: readonly SuiteSources[]): Promise<void> => {
      const outside = known.flatMap(({ file, sources }) => [file, ...sources]).filter((path) => !isBelow(path, project))
      const paths = [project, ...new Set(outside)].sort()
      if (covered === JSON.stringify(paths)) return
      covered = JSON.stringify(paths)
      const before = open
      open = await watchFiles(paths, [reports], onChange)
      await before?.close()
    },
    close: async (): Promise<void> => open?.close(),
  }
}

const refuseMixed = (options: RunOptions, host: Host): void => {
  if (host.isCi) {
    throw new UsageError('watch_in_ci', '--watch waits for somebody who edits files, and this is CI', {
      hint: 'Leave --watch out, or unset CI.',
    })
  }
  const others = {
    list: options.list,
    'dry-run': options.dryRun,
    resume: options.resume,
    rerun: options.rerun,
    shard: options.shard,
  }
  const [other] = Object.entries(others).find(([, value]) => value !== undefined && value !== false) ?? []
  if (other !== undefined) throw new UsageError('watch_mixed', `--watch and --${other} do not go together`)
}

const configFiles = (dir: string, host: Host, { config }: RunOptions): readonly string[] => [
  ...(config === undefined ? [] : [resolve(host.cwd, config)]),
  ...[dir, host.home].flatMap((folder) => ['json', 'yaml', 'yml'].map((end) => `${folder}/.agent/config.${end}`)),
]

/** The suites that a change of these files touches; undefined where it touches none. */
const touchedBy = (
  changed: readonly string[],
  at: {
    readonly known: readonly SuiteSources[]
    readonly owed: Owed
    readonly roots: readonly string[]
    readonly project: string
    readonly host: Host
    readonly given: RunOptions
  },
): Wish | undefined => {
  const { known, owed, roots, host } = at
  const shown = changed.map((path) => shownPath({ dir: at.project }, path))
  const what = shown.length > 3 ? `${shown.slice(0, 3).join(', ')} and ${shown.length - 3} more` : shown.join(', ')
  const config = new Set(configFiles(at.project, host, at.given))
  if (changed.some((path) => config.has(path))) return { paths: roots, why: `${what}: all suites` }
  const touched = new Map<string, string>()
  for (const { file, name, sources } of known) {
    const isTouched = changed.some((path) => path === file || sources.some((source) => isBelow(path, source)))
    if (isTouched && host.files.stat(file) !== undefined) touched.set(file, name)
  }
  const suites = changed.filter(
    (path) => /\.eval\.ya?ml$/.test(path) && roots.some((root) => isBelow(path, resolve(host.cwd, root))),
  )
  for (const path of suites) {
    if (!touched.has(path) && host.files.stat(path)?.kind === 'file') {
      touched.set(path, shownPath({ dir: at.project }, path))
    }
  }
  const gone = [...new Set([...suites, ...known.map(({ file }) => file).filter((file) => changed.includes(file))])]
    .filter((path) => host.files.stat(path) === undefined)
    .map((path) => `${shownPath({ dir: at.project }, path)} was deleted`)
  const mayMend =
    touched.size > 0 || gone.length > 0 || changed.some((path) => isNamedBy(owed.files, path, at.project, host))
  const again = mayMend ? owed.paths.filter((path) => host.files.stat(resolve(host.cwd, path)) !== undefined) : []
  const paths = [...new Set([...touched.keys(), ...again])]
  const names = [...touched.values(), ...(again.length > 0 ? ['what was not run'] : [])]
  if (paths.length === 0) return gone.length === 0 ? undefined : { paths, why: gone.join(', ') }
  return { paths, why: [...gone, `${what}: ${names.join(', ')}`].join('\n') }
}

/**
 * Whether a broken suite names this file, or a folder that it is in. Nobody can say what such a suite depends on, and any
 * other file of the project may be one that is written while suites run.
 */
const isNamedBy = (suites: readonly string[], path: string, project: string, { files }: Host): boolean =>
  suites.some((suite) => {
    if (files.stat(suite)?.kind !== 'file') return false
    const text = files.readHead(suite, MAX_SUITE_BYTES).text
    for (let at = path; isBelow(at, project) && at !== project; at = dirname(at)) {
      if (isPathIn(text, relative(dirname(suite), at).split(sep).join('/'))) return true
    }
    return false
  })

/** The path as a whole: `../fixtures` is none of what `../fixtures/sales.csv` names. */
const isPathIn = (text: string, path: string): boolean => {
  for (let at = text.indexOf(path); path !== '' && at !== -1; at = text.indexOf(path, at + 1)) {
    const before = text.slice(0, at).replace(/\.\/$/, '').at(-1) ?? ' '
    const after =
      text
        .slice(at + path.length)
        .replace(/^\//, '')
        .at(0) ?? ' '
    if (/[\s'"[{,:]/.test(before) && /[\s'"\]},]/.test(after)) return true
  }
  return false
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

type Message = WatchCommand | readonly string[] | undefined

/** Changes and commands as they come; changes are told once nothing has changed for a moment. */
const openInbox = (signal: AbortSignal) => {
  const changes = new Set<string>()
  const commands: WatchCommand[] = []
  let wake: () => void = () => undefined
  let timer: NodeJS.Timeout | undefined
  let isQuiet = true
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    put: (command: WatchCommand): void => {
      commands.push(command)
      wake()
    },
    changed: (path: string): void => {
      changes.add(path)
      isQuiet = false
      clearTimeout(timer)
      timer = setTimeout(() => {
        isQuiet = true
        wake()
      }, quietMs)
    },
    /** Undefined where the signal came first. */
    next: async (): Promise<Message> => {
      for (;;) {
        if (signal.aborted) return undefined
        const command = commands.shift()
        if (command) return command
        if (isQuiet && changes.size > 0) {
          const told = [...changes].sort()
          changes.clear()
          return told
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
