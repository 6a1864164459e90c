import { join, resolve } from 'node:path'
import { removeFile } from '../adapters/files/remove-file.ts'
import { cassettePath, type ReadCassette, readCassette } from '../cassette/cassette-file.ts'
import { mapStrings } from '../cassette/placeholders.ts'
import { redactor } from '../cassette/redactor.ts'
import { parseArmName } from '../core/arm.ts'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import type { RunPlan } from '../core/plan.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Cassette } from '../schema/cassette.ts'
import type { Config } from '../schema/config.ts'
import { maxCassetteBytes } from './cassette-limits.ts'
import type { Host } from './host.ts'
import { type Project, shownPath } from './project.ts'
import { configuredKeys } from './recorded-models.ts'

export type FoundCassette = {
  /** Relative to the project. */
  readonly path: string
  readonly file: string
  readonly bytes: number
} & ({ readonly cassette: Cassette } | { readonly problem: string })

export const recordingsFolder = (project: Project, config: Config): string =>
  resolve(project.dir, config.recordings ?? 'recordings')

/** Every file below the folder of the recordings that ends in .json, by path. No link is followed. */
export const findCassettes = (project: Project, config: Config, host: Host): FoundCassette[] => {
  const found: FoundCassette[] = []
  const visit = (folder: string): void => {
    for (const { name, kind, isLink } of host.files.list(folder)) {
      const file = join(folder, name)
      if (isLink) continue
      if (kind === 'dir') visit(file)
      if (kind !== 'file' || !name.endsWith('.json')) continue
      const bytes = host.files.stat(file)?.size ?? 0
      found.push({
        path: shownPath(project, file),
        file,
        bytes,
        ...readFrom(file, host),
      })
    }
  }
  visit(recordingsFolder(project, config))
  return found
}

const readFrom = (file: string, host: Host): ReadCassette => {
  try {
    return readCassette(host.files.readText(file, maxCassetteBytes))
  } catch (error) {
    if (error instanceof SkillsEvalError) return { problem: error.message }
    throw error
  }
}

/** The cassettes whose `suite/case` has one of these texts, or that are these files; all where nothing is asked for. */
export const chooseCassettes = (
  all: readonly FoundCassette[],
  wanted: readonly string[],
  host: Host,
): readonly FoundCassette[] => {
  if (wanted.length === 0) return all
  const chosen = all.filter((one) =>
    wanted.some((text) => nameOf(one).includes(text) || one.file === resolve(host.cwd, text)),
  )
  if (chosen.length > 0) return chosen
  throw new UsageError('no_cassette', `no recording is of ${wanted.map((text) => visibleLine(text)).join(', ')}`, {
    hint:
      all.length === 0
        ? 'There are none: record with `skills-eval record`.'
        : '`skills-eval cassettes list` shows all.',
  })
}

const nameOf = (found: FoundCassette): string =>
  'cassette' in found ? `${found.cassette.suite}/${found.cassette.case}` : found.path

/** Why a cassette belongs to nothing that could be run; undefined where it belongs to a case. */
export const orphanReason = (
  found: FoundCassette,
  cases: ReadonlySet<string>,
  config: Config,
  project: Project,
): string | undefined => {
  if ('problem' in found) return undefined
  const { suite, case: id, profile, arm } = found.cassette
  if (!cases.has(caseKey(suite, id))) return `there is no case ${suite}/${id}`
  if (profile !== 'mock' && !Object.hasOwn(config.models ?? {}, profile)) return `there is no model profile ${profile}`
  if (arm !== undefined && parseArmName(arm) === undefined) return `there is no baseline ${arm}`
  const expected = join(recordingsFolder(project, config), cassettePath({ suite, case: id, profile, arm }))
  return expected === found.file ? undefined : `its place is ${shownPath(project, expected)}`
}

export const caseKey = (suite: string, id: string): string => JSON.stringify([suite, id])

export const casesOf = (plan: RunPlan): ReadonlySet<string> => {
  const keys = new Set<string>()
  for (const { suite, evalCase } of plan.cases()) keys.add(caseKey(suite.name, evalCase.id))
  return keys
}

/**
 * Whether a secret is readable in a cassette: one of this environment, or what looks like one. Each text in it is looked
 * at by itself: to a pattern, `"body:token-counter": "9f86d081884c7d65"` is a token.
 */
export const leakFinder = (config: Config, host: Host): ((found: FoundCassette) => boolean) => {
  const { redact, leaks } = redactor({ env: host.env, values: configuredKeys(config, host), key: '' })
  return (found) => {
    const text = host.files.readHead(found.file, maxCassetteBytes).text
    if (leaks(text)) return true
    if ('problem' in found) return redact(text) !== text
    let isFound = false
    mapStrings(found.cassette, (one) => {
      isFound ||= redact(one) !== one
      return one
    })
    return isFound
  }
}

export const deleteCassette = ({ file }: FoundCassette, project: Project, config: Config): void =>
  removeFile(file, recordingsFolder(project, config))
