import { FileError } from '../core/errors.ts'
import type { FileKind, Files } from '../core/ports.ts'
import { nearest } from '../lib/nearest.ts'
import type { ReferenceKind } from './case-references.ts'
import type { ExpressionProblems } from './expression-problems.ts'
import type { Finding } from './finding.ts'
import { FIXTURE_HINT, hasControl } from './path-findings.ts'
import { readJsonFile } from './read-json-file.ts'
import { isInside, resolvePath } from './resolve-path.ts'

/** What is wrong with a path that a suite names; `undefined`: nothing. */
export type DiskProblem = Pick<Finding, 'code' | 'message' | 'hint'>

export type DiskOptions = {
  readonly files: Files
  /** Absolute folder of the suite's file. */
  readonly dir: string
  /** Absolute; nothing that a suite names may lie outside of it. */
  readonly projectDir: string
}

export type Disk = {
  /** Checks a path once, however often it is named. */
  problem(kind: ReferenceKind, written: string): Promise<DiskProblem | undefined>
  rowFileProblem(written: string): DiskProblem | undefined
  skillRootProblem(written: string): DiskProblem | undefined
}

/** How many answers are kept: every row may name a file of its own. */
const LIMIT = 10_000

/** Looks up what a suite names. Links are followed before a place is judged. */
export const suiteDisk = (options: DiskOptions, problems: ExpressionProblems): Disk => {
  const project = options.files.realPath(options.projectDir) ?? options.projectDir
  const known = new Map<string, DiskProblem | undefined>()

  const schemaProblem = async (written: string): Promise<DiskProblem | undefined> => {
    const path = resolvePath(options.dir, written)
    const read = readSchema(path, written, options.files)
    if ('problem' in read) return read.problem
    const ask = () => problems.of({ kind: 'json_schema', source: read.schema })
    ask()
    await problems.settle()
    const fault = ask()
    return fault === undefined ? undefined : { code: 'json-schema', message: `${written} is no JSON Schema: ${fault}` }
  }

  const find = async (kind: ReferenceKind, written: string): Promise<DiskProblem | undefined> => {
    const wanted: FileKind[] = kind === 'source' ? ['file', 'dir'] : ['file']
    const problem = placeProblem(written, wanted, project, options)
    if (kind === 'source' && problem?.code === 'missing-file' && problem.hint === RELATIVE_HINT)
      return { ...problem, hint: FIXTURE_HINT }
    return problem === undefined && kind === 'schema' ? schemaProblem(written) : problem
  }

  return {
    problem: async (kind, written) => {
      const key = `${kind} ${written}`
      if (!known.has(key)) {
        if (known.size > LIMIT) known.clear()
        known.set(key, await find(kind, written))
      }
      return known.get(key)
    },
    rowFileProblem: (written) => placeProblem(written, ['file'], project, options),
    skillRootProblem: (written) => existenceProblem(written, ['dir'], options),
  }
}

const RELATIVE_HINT = 'Paths are relative to the suite.'

type Read = { readonly schema: unknown } | { readonly problem: DiskProblem }

const readSchema = (path: string, written: string, files: Files): Read => {
  try {
    return { schema: readJsonFile(path, files) }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { problem: { code: 'json-schema', message: error.message.replaceAll(path, written) } }
  }
}

const placeProblem = (
  written: string,
  wanted: readonly FileKind[],
  project: string,
  options: DiskOptions,
): DiskProblem | undefined => {
  if (hasControl(written)) return { code: 'path', message: 'the path has a control character' }
  const path = resolvePath(options.dir, written)
  const real = options.files.realPath(path)
  const isOutside = real === undefined ? !isInside(options.projectDir, path) : !isInside(project, real)
  if (isOutside) {
    const message = `${written} lies outside of the project`
    return { code: 'outside-project', message, hint: 'Copy it into the project: a suite takes nothing from elsewhere.' }
  }
  return existenceProblem(written, wanted, options)
}

const existenceProblem = (
  written: string,
  wanted: readonly FileKind[],
  { dir, files }: DiskOptions,
): DiskProblem | undefined => {
  if (hasControl(written)) return { code: 'path', message: 'the path has a control character' }
  const path = resolvePath(dir, written)
  const kind = files.realPath(path) === undefined ? undefined : files.stat(path)?.kind
  if (kind === undefined)
    return { code: 'missing-file', message: `${written} does not exist`, ...nearby(written, path, files) }
  if (wanted.includes(kind)) return undefined
  const message = `${written} is ${kind === 'dir' ? 'a folder' : kind === 'file' ? 'a file' : 'no regular file'}`
  return { code: 'wrong-file', message, hint: wanted.includes('file') ? 'Name a file.' : 'Name a folder.' }
}

/** The path as it would have to be written, with the nearest name where it stops being there. */
const nearby = (written: string, path: string, files: Files): { readonly hint: string } => {
  const slash = path.lastIndexOf('/')
  const names = files.list(path.slice(0, slash) || '/').map(({ name }) => name)
  const [guess] = nearest(path.slice(slash + 1), names, 1)
  const folder = written.replace(/\/+$/, '').slice(0, written.replace(/\/+$/, '').lastIndexOf('/') + 1)
  return {
    hint: guess === undefined ? RELATIVE_HINT : `Did you mean \`${folder}${guess}\`?`,
  }
}
