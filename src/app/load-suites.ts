import { dirname, join, relative, resolve, sep } from 'node:path'
import { findSuites } from '../adapters/files/find-suites.ts'
import { jsonCache } from '../adapters/files/json-cache.ts'
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts'
import { FileError, UsageError } from '../core/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { nearest } from '../lib/nearest.ts'
import { checkSuite } from '../suite/check-suite.ts'
import type { CheckEnv } from '../suite/checking.ts'
import { MAX_SUITE_BYTES } from '../suite/limits.ts'
import type { Suite } from '../suite/suite.ts'
import type { Host } from './host.ts'
import { cacheFolder } from './load-config.ts'
import { type Project, shownPath } from './project.ts'

export type LoadedSuite = { readonly suite: Suite; readonly path: string; readonly dir: string }
export type LoadedSuites = { readonly suites: readonly LoadedSuite[]; readonly diagnostics: readonly Diagnostic[] }

/** Below this size, parsing costs less than looking a parsed suite up. */
const cachedFromBytes = 64 * 1024

/** Finds, reads and checks the suites at `paths`; with any error among the diagnostics, nothing may be run. */
export const loadSuites = async (
  paths: readonly string[],
  project: Project,
  host: Host,
  judgeProblem?: CheckEnv['judgeProblem'],
): Promise<LoadedSuites> => {
  const { files, missing } = await findSuites(paths, host.cwd)
  if (missing.length > 0) throw missingPath(missing, host)
  const suites: LoadedSuite[] = []
  const diagnostics: Diagnostic[] = []
  for (const file of files) {
    const loaded = await loadSuite(file, project, host, judgeProblem)
    diagnostics.push(...loaded.diagnostics)
    if (loaded.suite) suites.push({ suite: loaded.suite, path: shownPath(project, file), dir: dirname(file) })
  }
  return { suites, diagnostics }
}

const missingPath = (missing: readonly string[], host: Host): UsageError => {
  const close = nearestPaths(missing[0] ?? '', host)
  return new UsageError('path_missing', `${missing.join(', ')} does not exist`, {
    hint:
      close.length > 0
        ? `Did you mean ${close.join(' or ')}?`
        : 'Give a suite file, or a folder that holds *.eval.yaml files.',
  })
}

/** What the first part of the path that is not there may have been meant to be, named as the path names it. */
const nearestPaths = (path: string, host: Host): string[] => {
  let folder = dirname(path)
  while (host.files.stat(resolve(host.cwd, folder)) === undefined && dirname(folder) !== folder)
    folder = dirname(folder)
  const [wanted = ''] = relative(folder, path).split(sep)
  const names = host.files.list(resolve(host.cwd, folder)).map((entry) => entry.name)
  return nearest(wanted, names).map((name) => join(folder, name).split(sep).join('/'))
}

const loadSuite = async (
  file: string,
  project: Project,
  host: Host,
  judgeProblem: CheckEnv['judgeProblem'],
): Promise<{ suite: Suite | undefined; diagnostics: readonly Diagnostic[] }> => {
  const shown = shownPath(project, file)
  let text: string
  try {
    text = host.files.readText(file, MAX_SUITE_BYTES)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return {
      suite: undefined,
      diagnostics: [{ severity: 'error', code: `suite/${error.code}`, message: error.message, file: shown }],
    }
  }
  const parsed = await parsedSuite(text, shown, host)
  const source = { text, file: shown, dir: dirname(file) }
  if (!parsed.suite || hasErrors(parsed.diagnostics)) {
    const { checkJudge } = await import('../suite/check-judge.ts')
    const ofJudge = await checkJudge(source, judgeProblem ? { judgeProblem } : {})
    return { suite: undefined, diagnostics: [...parsed.diagnostics, ...ofJudge] }
  }
  const found = await checkSuite(parsed.suite, source, {
    files: host.files,
    projectDir: project.dir,
    ...(judgeProblem ? { judgeProblem } : {}),
  })
  return { suite: parsed.suite, diagnostics: [...parsed.diagnostics, ...found] }
}

type Parsed = Awaited<ReturnType<typeof import('../suite/parse-suite.ts')['parseSuite']>>

/** Parsed suites are kept by the digest of their text and of our version: YAML costs most of the time of a large run. */
const parsedSuite = async (text: string, shown: string, host: Host): Promise<Parsed> => {
  if (text.length < cachedFromBytes) return parse(text, shown)
  const cache = jsonCache(join(cacheFolder(host), 'suites'))
  const key = sha256(`${host.version}\0${shown}\0${text}`)
  const known = cache.read(key)
  if (known) return known as Parsed
  const parsed = await parse(text, shown)
  if (parsed.suite && !hasErrors(parsed.diagnostics)) cache.write(key, parsed)
  return parsed
}

/** The parser and all it needs are loaded for the first suite that is not in the cache. */
const parse = async (text: string, shown: string): Promise<Parsed> => {
  const { parseSuite } = await import('../suite/parse-suite.ts')
  return parseSuite(text, { file: shown })
}
