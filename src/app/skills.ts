import { resolve } from 'node:path'
import { toSkillRef } from '../core/actions.ts'
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts'
import { UsageError } from '../core/errors.ts'
import type { Skill, SkillHit, SkillIndex, SkillRoot } from '../core/skill.ts'
import { findSkillFolders } from '../skills/find-skill-folders.ts'
import { indexSkills } from '../skills/index-skills.ts'
import { inspectSkill as inspect, type SkillInspection } from '../skills/inspect-skill.ts'
import { skillSource } from '../skills/skill-source.ts'
import { validateSkill } from '../skills/validate-skill.ts'
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

export type Validation = { readonly skills: number; readonly diagnostics: readonly Diagnostic[]; readonly ok: boolean }

/** Checks every skill at the given paths: skill folders, their SKILL.md, or folders of skill folders. */
export const validateSkills = async (paths: readonly string[], lenient: boolean, host: Host): Promise<Validation> => {
  const project = findProject(host.cwd, host.home, host.files)
  const diagnostics: Diagnostic[] = []
  let skills = 0
  for (const path of paths) {
    const absolute = resolve(host.cwd, path)
    const folders = findSkillFolders(absolute, host.files)
    // A path without any skill below it is judged as the skill that it should be.
    for (const folder of folders.length === 0 ? [absolute] : folders) {
      skills += 1
      const judged = await validateSkill(folder, host.files, { lenient })
      diagnostics.push(...judged.diagnostics.map((found) => ({ ...found, file: shownPath(project, found.file) })))
    }
  }
  return { skills, diagnostics, ok: !hasErrors(diagnostics) }
}
