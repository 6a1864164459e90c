import { dirname, resolve } from 'node:path'
import { toSkillRef } from '../core/actions.ts'
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts'
import { UsageError } from '../core/errors.ts'
import type { Skill, SkillHit, SkillIndex, SkillRoot } from '../core/skill.ts'
import type { SkillProfile } from '../skills/dialects/dialects.ts'
import { findMisnamedFolders, findSkillFolders } from '../skills/find-skill-folders.ts'
import { indexSkills } from '../skills/index-skills.ts'
import { inspectSkill as inspect, type SkillInspection } from '../skills/inspect-skill.ts'
import { skillSource } from '../skills/skill-source.ts'
import { validateSkill } from '../skills/validate-skill.ts'
import { type FixedFile, fixSkill } from './fix-skills.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { findProject, shownPath } from './project.ts'
import { configuredRoots } from './skill-roots.ts'
import { bodyLimits } from './suite-skills.ts'

type Options = { readonly config?: string | undefined; readonly source?: string | undefined }

/** The configured index; with `source`, of that layer alone. */
export const listSkills = (options: Options, host: Host): SkillIndex => indexSkills(rootsOf(options, host), host.files)

export const searchSkills = async (
  query: string,
  limit: number,
  options: Options,
  host: Host,
): Promise<readonly SkillHit[]> => {
  const index = listSkills(options, host)
  return skillSource(index, host.files, { maxBodyLines: 500, overLong: 'warn' }).search(query, limit)
}

/** A skill by NAME, NAME@SOURCE or folder. Throws a UsageError that names those there are. */
export const inspectSkill = async (name: string, options: Options, host: Host): Promise<SkillInspection> =>
  inspect(inspectableSkill(name, options, host), host.files)

/** The skill that NAME, NAME@SOURCE or a folder means; throws a UsageError that names those there are. */
export const inspectableSkill = (name: string, options: Options, host: Host): Skill => {
  const folder = resolve(host.cwd, name)
  if (/[/\\.]/.test(name) && host.files.stat(folder)) {
    const found = indexSkills([{ path: folder.replace(/\/(SKILL|skill)\.md$/, ''), source: 'project' }], host.files)
    const [skill] = found.skills
    if (skill && found.skills.length === 1) return skill
    throw new UsageError('no_skill', `${name} is not one skill folder`, {
      hint: found.diagnostics[0]?.message ?? 'Give a folder with a SKILL.md.',
    })
  }
  const { ref, layer } = referenceOf(name)
  const index = listSkills({ ...options, source: layer ?? options.source }, host)
  const found = skillSource(index, host.files, bodyLimits({})).resolve({ name: ref }, 'user')
  if (!('problem' in found)) return found
  throw new UsageError('no_skill', found.problem, { hint: '`skills-eval skills list` shows all.' })
}

const referenceOf = (name: string): { ref: string; layer: string | undefined } => {
  const ref = toSkillRef(name) as { name: string; source?: string }
  return { ref: ref.name, layer: ref.source }
}

const layers = ['project', 'user', 'builtin'] as const

const rootsOf = (options: Options, host: Host): SkillRoot[] => {
  const project = findProject(host.cwd, host.home, host.files)
  const config = loadConfig(project, host, options.config === undefined ? undefined : resolve(host.cwd, options.config))
  const roots = configuredRoots(project, config, host)
  if (options.source === undefined) return roots
  if (!layers.some((layer) => layer === options.source)) {
    throw new UsageError('bad_source', `there is no source "${options.source}"`, {
      hint: `There is: ${layers.join(', ')}.`,
    })
  }
  return roots.filter((root) => root.source === options.source)
}

export type Validation = {
  readonly skills: number
  readonly diagnostics: readonly Diagnostic[]
  readonly ok: boolean
  /** What was mended, or with `dryRun` would be. */
  readonly fixed: readonly FixedFile[]
  /** False where something was to be mended and could not be written; the diagnostics say what. */
  readonly isWritten: boolean
}

export type ValidationOptions = {
  readonly lenient?: boolean
  readonly profile?: SkillProfile
  readonly fix?: 'write' | 'dry-run' | undefined
}

/**
 * Checks every skill at the given paths: skill folders, their SKILL.md, or folders of skill folders. With `fix`, mends
 * first what can be mended in one way; what is told is what is left.
 */
export const validateSkills = async (
  paths: readonly string[],
  options: ValidationOptions,
  host: Host,
): Promise<Validation> => {
  const { lenient = false, profile = 'spec', fix } = options
  const project = findProject(host.cwd, host.home, host.files)
  const diagnostics: Diagnostic[] = []
  const fixed: FixedFile[] = []
  let isWritten = true
  const folders = new Set(paths.flatMap((path) => skillFolders(resolve(host.cwd, path), host)))
  for (const folder of folders) {
    let judged = await validateSkill(folder, host.files, { lenient, profile })
    const dir = /\/skill\.md$/i.test(folder) ? dirname(folder) : folder
    let failed: readonly Diagnostic[] = []
    // What was mended may show what else there is: a script with its new first line may lack a run bit.
    for (let pass = 1; fix !== undefined && pass <= maxPasses; pass += 1) {
      const mended = fixSkill(dir, judged.diagnostics, { profile, dryRun: fix === 'dry-run' }, host)
      fixed.push(...mended.fixed)
      // Each pass tries again: what the last one could not write is what is left.
      failed = mended.failed
      if (mended.fixed.length === 0 || fix === 'dry-run') break
      // By its folder: SKILL.md may have another name now.
      judged = await validateSkill(dir, host.files, { lenient, profile })
    }
    const shown = [...failed, ...judged.diagnostics].map((found) => ({
      ...found,
      file: shownPath(project, found.file),
    }))
    diagnostics.push(...shown)
    isWritten &&= failed.length === 0
  }
  return { skills: folders.size, diagnostics, ok: !hasErrors(diagnostics), fixed, isWritten }
}

const maxPasses = 3

/** A path without any skill below it is judged as the skill that it should be. */
const skillFolders = (absolute: string, host: Host): readonly string[] => {
  const folders = findSkillFolders(absolute, host.files)
  const all = [...folders, ...findMisnamedFolders(absolute, host.files)]
  return all.length === 0 ? [absolute] : all
}
