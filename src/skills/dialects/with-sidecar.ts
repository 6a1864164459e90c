import type { Files } from '../../core/ports.ts'
import type { Skill } from '../../core/skill.ts'
import { setOwn } from '../../lib/set-own.ts'
import type { SkillLog } from '../diagnose.ts'
import type { DirEntry } from '../find-skill-file.ts'
import { ifReadable } from '../if-readable.ts'
import { joinPath } from '../paths.ts'
import { maxSidecarBytes, readSidecar, sidecarName } from './hermes-sidecar.ts'

/**
 * A skill with what the `skill.json` beside its SKILL.md adds: version, tags, and the tools that it can't do without. Where
 * both say something, SKILL.md counts. Opens nothing where there is no such file.
 */
export const withSidecar = (skill: Skill, entries: readonly DirEntry[], files: Files, log: SkillLog): Skill => {
  if (!entries.some(({ name, kind, isLink }) => name === sidecarName && kind === 'file' && !isLink)) return skill
  const file = joinPath(skill.dir, sidecarName)
  const text = ifReadable(() => files.readText(file, maxSidecarBytes))
  if (text === undefined) {
    log.report('sidecar-invalid', 'skill.json is no UTF-8 text of at most 64 KiB', { file })
    return skill
  }
  const { sidecar, problems } = readSidecar(text)
  for (const problem of problems) log.report('sidecar-invalid', problem, { file })
  if (sidecar === undefined) return skill
  const requiredTools = union(skill.requiredTools ?? [], sidecar.toolsRequired)
  const version = skill.version ?? sidecar.version
  return {
    ...skill,
    tags: union(skill.tags, sidecar.tags),
    ...(version !== undefined && { version }),
    ...(requiredTools.length > 0 && { requiredTools }),
    extra: withFields(skill.extra, {
      id: sidecar.id,
      tools_required: sidecar.toolsRequired,
      tools_optional: sidecar.toolsOptional,
      hermes_version: sidecar.hermesVersion,
      entry_point: sidecar.entryPoint,
    }),
  }
}

const union = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])]

const withFields = (
  extra: Skill['extra'],
  more: Readonly<Record<string, string | readonly string[] | undefined>>,
): Skill['extra'] => {
  const all: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(extra)) setOwn(all, name, value)
  for (const [name, value] of Object.entries(more))
    if (!Object.hasOwn(all, name) && value !== undefined && value.length > 0) setOwn(all, name, value)
  return all
}
