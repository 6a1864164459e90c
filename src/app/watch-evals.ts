import { resolve } from 'node:path'
import { type FileWatch, watchFiles } from '../adapters/files/watch-files.ts'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Host } from './host.ts'
import { findProject, shownPath } from './project.ts'
import { type RunView, runEvals } from './run-evals.ts'
import type { RunOptions } from './run-options.ts'
import { reportsFolder } from './stored-runs.ts'
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

type Wish = { readonly paths: readonly string[]; readonly why: string; readonly isRerun?: boolean }

/**
 * Runs the suites, then those that a change touches, until it is told to end. A broken suite is shown and waited for.
 * Returns 0 where a person quits, 130 or 143 where a signal ended it.
 */
export const watchEvals = async (given: RunOptions, host: Host, view: WatchView): Promise<number> => {
  refuseMixed(given, host)
  const roots = given.paths.length === 0 ? ['evals'] : given.paths
  const project = findProject(host.cwd, host.home, host.files)
  let known: readonly SuiteSources[] = []
  /** Suites that were to be run when something was broken. */
  let owed: readonly string[] = []

  const attempt = async (options: RunOptions): Promise<void> => {
    try {
      await runEvals(options, host, view)
      owed = []
    } catch (error) {
      if (!(error instanceof SkillsEvalError)) throw error
      owed = options.paths
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
      host.stderr(`watching ${known.length === 1 ? '1 suite' : `${known.length} suites`}${view.help ?? ''}\n`)
      const wish = await nextWish()
      if (!wish && !isEnded()) return 0
      if (!wish) break
      host.stderr(`\n${visibleLine(wish.why, 2000)}\n`)
      await attempt({
        ...given,
        paths: wish.paths,
        ...(wish.isRerun ? { rerun: ['failed', 'error', 'stale'] } : { passWithNoCases: true }),
      })
    }
    return host.signal.reason === 'SIGTERM' ? 143 : 130
  } finally {
    release()
    await watched.close()
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
    readonly owed: readonly string[]
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
  for (const path of changed) {
    const isSuite = /\.eval\.ya?ml$/.test(path) && roots.some((root) => isBelow(path, resolve(host.cwd, root)))
    if (isSuite && !touched.has(path) && host.files.stat(path)?.kind === 'file') {
      touched.set(path, shownPath({ dir: at.project }, path))
    }
  }
  // What was broken may be mended by a file that nothing depended on before.
  const again = owed.filter((path) => host.files.stat(resolve(host.cwd, path)) !== undefined)
  const paths = [...new Set([...touched.keys(), ...again])]
  const names = [...touched.values(), ...(again.length > 0 ? ['what was not run'] : [])]
  return paths.length === 0 ? undefined : { paths, why: `${what}: ${names.join(', ')}` }
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
