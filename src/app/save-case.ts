import { dirname, join, resolve } from 'node:path'
import { newFiles } from '../adapters/files/new-files.ts'
import { writeText } from '../adapters/files/output-file.ts'
import { hasErrors } from '../core/diagnostic.ts'
import { InvalidInputError, SkillsEvalError, UsageError } from '../core/errors.ts'
import { appendToList } from '../lib/yaml-append.ts'
import type { PlaceWords } from '../report/place-words.ts'
import { shellLine } from '../report/shell-line.ts'
import type { AgentCase } from '../schema/agent-case.ts'
import type { Cassette } from '../schema/cassette.ts'
import { MAX_SUITE_BYTES } from '../suite/limits.ts'
import { parseSuite } from '../suite/parse-suite.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { findProfile } from './profiles.ts'
import { findProject, type Project, shownPath } from './project.ts'
import { type CaseTrial, trySavedCase } from './try-saved-case.ts'

export type SavedCase = {
  /** Relative to the project. */
  readonly suite: string
  readonly id: string
  /** Files that were touched and are not among the case's, each with the reason. */
  readonly leftOut: AgentCase['left_out']
  /** Whether it can be replayed: a recording is kept only where the case does what the run did. */
  readonly isReplayable: boolean
  /** The line for a shell that runs the case, or records it first where it can't be replayed. */
  readonly command: string
  readonly trial: CaseTrial
}

/**
 * Puts a run into a suite as its last case, with the files that it touched and its recording, and tries the case. A
 * suite that is not there is made; in one that is there nothing else changes. Throws an InvalidInputError or a
 * UsageError where the suite can't take it. Whatever it throws, nothing of the case is left on the disk.
 */
export const saveCase = async (
  draft: AgentCase,
  cassette: Cassette | undefined,
  to: { readonly file: string; readonly id?: string; readonly config?: string; readonly place?: PlaceWords },
  host: Host,
): Promise<SavedCase> => {
  const path = resolve(host.cwd, to.file)
  if (!/\.ya?ml$/i.test(path)) {
    throw new UsageError('no_suite', `${to.file} is no name for a suite`, { hint: 'For example evals/sales.eval.yaml' })
  }
  const project = findProject(host.cwd, host.home, host.files)
  const shown = shownPath(project, path)
  const isThere = host.files.stat(path) !== undefined
  const old = isThere ? host.files.readText(path, MAX_SUITE_BYTES) : `model: ${draft.profile}\n`
  const before = await parseSuite(old, { file: shown })
  if (before.suite === undefined || hasErrors(before.diagnostics)) throw new InvalidInputError(before.diagnostics)
  const folder = dirname(path)
  const isFree = (id: string): boolean =>
    !before.suite?.cases.some((one) => (one.kind === 'case' ? one.case.id : one.id) === id) &&
    host.files.stat(join(folder, 'fixtures', id)) === undefined
  const id = to.id ?? freeId(draft.input[0] ?? '', isFree)
  if (!isFree(id)) throw new UsageError('case_there', `${to.file} has a case ${id}, or fixtures for one`)
  const files = fixturesOf(draft, id)
  const value = {
    id,
    input: draft.input.length === 1 ? draft.input[0] : draft.input,
    ...(files.length === 0 ? {} : { files: Object.fromEntries(files.map(({ to, from }) => [to, from])) }),
    ...draft.case,
  }
  const unreviewed = Array.isArray(draft.case.unreviewed) ? draft.case.unreviewed : []
  const made = appendToList(old, 'cases', {
    value,
    above: `From the agent run ${draft.run}. What is expected is what happened: look at it, then delete \`unreviewed\`.`,
    behind: Object.fromEntries(unreviewed.map((part) => [`expected.${part}`, 'seen in the run, not reviewed'])),
  })
  if ('problem' in made) throw new UsageError('suite_layout', `${to.file} can't take another case: ${made.problem}`)
  const after = await parseSuite(made.text, { file: shown })
  if (after.suite === undefined || hasErrors(after.diagnostics)) throw new InvalidInputError(after.diagnostics)

  refuseOutside([folder, join(folder, 'fixtures', id)], path, project, host)
  findProfile(draft.profile, loadConfig(project, host, to.config && resolve(host.cwd, to.config)))
  const written = newFiles()
  const takeBack = (): void => {
    written.takeBack()
    if (isThere && host.files.readText(path, MAX_SUITE_BYTES) !== old) writeText(path, old)
  }
  const trial = await orTakenBack(takeBack, async () => {
    for (const { from, content } of files) if (typeof from === 'string') written.write(join(folder, from), content)
    if (isThere) writeText(path, made.text)
    else written.write(path, Buffer.from(made.text))
    return trySavedCase(draft, cassette, { path, id, ...(to.config ? { config: to.config } : {}) }, host)
  })
  const isReplayable = draft.is_scripted || trial.kind === 'same'
  const models = after.suite.models
  const isNamed = models?.length === 1 && models[0] === draft.profile
  const command = shellLine([
    ...['skills-eval', 'run', ...(to.place?.folder ?? [])],
    ...[to.file.startsWith('-') ? `./${to.file}` : to.file, '--filter', `=${id}`],
    ...(isNamed ? [] : ['--model', draft.profile]),
    ...(to.config === undefined ? [] : ['--config', to.config]),
    ...(draft.trusted ? ['--trust-suites'] : []),
    ...(isReplayable ? [] : ['--record', 'all']),
  ])
  return { suite: shown, id, leftOut: draft.left_out, isReplayable, command, trial }
}

/** Where a link leads elsewhere, what is written would not be where it seems to be. */
const refuseOutside = (places: readonly string[], suite: string, { dir }: Project, { files }: Host): void => {
  const isBelow = (path: string, folder: string) => path === folder || path.startsWith(join(folder, '/'))
  const base = isBelow(suite, dir) ? dir : dirname(suite)
  const real = files.realPath(base)
  for (const place of places) {
    let there = place
    while (files.realPath(there) === undefined && dirname(there) !== there) there = dirname(there)
    const leads = files.realPath(there)
    // A folder that is still to be made has nothing in it that leads elsewhere.
    if (real === undefined || leads === undefined || !isBelow(there, base) || isBelow(leads, real)) continue
    throw new UsageError('outside_project', `${there} is a link that leads to ${leads}, outside the project`, {
      hint: 'Nothing was written. Save the case in another folder, or take the link away.',
    })
  }
}

const orTakenBack = async <T>(takeBack: () => void, action: () => Promise<T>): Promise<T> => {
  try {
    return await action()
  } catch (error) {
    try {
      takeBack()
    } catch (another) {
      // What went wrong first is what is told.
      if (!(another instanceof SkillsEvalError)) throw another
    }
    throw error
  }
}

type FixtureFile = { readonly to: string; readonly from: string | { readonly text: string }; readonly content: Buffer }

/** Beside the suite, where a person can look at them; a folder is there for the sake of an empty file. */
const fixturesOf = (draft: AgentCase, id: string): readonly FixtureFile[] => [
  ...draft.files.map(({ path, base64 }) => ({
    to: path,
    from: `fixtures/${id}/${path}`,
    content: Buffer.from(base64, 'base64'),
  })),
  ...draft.folders.map((path) => ({ to: `${path}/.keep`, from: { text: '' }, content: Buffer.alloc(0) })),
]

const MAX_ID = 40

/** The first words of what was asked; with a number where that is taken. */
const freeId = (input: string, isFree: (id: string) => boolean): string => {
  const words = input
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const long = (words ?? []).join('-')
  const slug = (long.length <= MAX_ID ? long : long.slice(0, MAX_ID).replace(/-[^-]*$/, '')) || 'case'
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? slug : `${slug}-${n}`
    if (isFree(id)) return id
  }
}
