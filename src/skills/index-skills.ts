import type { Diagnostic } from '../core/diagnostic.ts'
import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import type { ShadowedSkill, Skill, SkillIndex, SkillRoot } from '../core/skill.ts'
import { normalName } from './check-name.ts'
import { type SkillLog, skillLog } from './diagnose.ts'
import { withSidecar } from './dialects/with-sidecar.ts'
import { isPlainFile } from './find-skill-file.ts'
import { parseSkill } from './parse-skill.ts'
import { baseName, joinPath } from './paths.ts'
import { type Head, readHead } from './read-head.ts'
import { maxSkillBytes } from './read-skill-text.ts'
import { isOutOfSight } from './skill-files.ts'
import { canBeListed, type SkillFolder, walkRoot } from './walk-root.ts'

/**
 * Indexes the skills of several roots from the heads of their SKILL.md alone. The first root that has a name wins, in
 * one root the first path; the others are in `shadowed`. A folder that is reached twice is one skill. A skill that
 * can't be loaded leaves a diagnostic and hides no other. The same files give the same index.
 */
export const indexSkills = (roots: readonly SkillRoot[], files: Files): SkillIndex => {
  const diagnostics: Diagnostic[] = []
  const winners = new Map<string, { readonly skill: Skill; readonly root: string }>()
  const shadowed: ShadowedSkill[] = []
  const seen = new Set<string>()
  const real = roots.map(({ path }) => files.realPath(path))
  const elsewhere = real.filter((dir) => dir !== undefined)

  for (const [at, root] of roots.entries()) {
    const dir = real[at]
    const log = skillLog(dir ?? root.path, 'lenient')
    if (dir === undefined) {
      // The usual roots need not exist; one that a suite names should.
      if (root.source === 'suite') log.report('root-missing', `the skill root ${root.path} does not exist`)
    } else {
      const names = [baseName(root.path), baseName(dir)]
      for (const folder of walkRoot(dir, names, elsewhere, files, log)) {
        if (seen.has(folder.dir)) continue
        seen.add(folder.dir)
        const skill = loadSkill(folder, root, dir, files, log)
        if (skill === undefined) continue
        reportClosed(folder, files, log)
        const key = normalName(skill.name)
        const winner = winners.get(key)
        if (winner === undefined) winners.set(key, { skill, root: root.path })
        else shadowed.push(shadow(skill, winner, root.path, log))
      }
    }
    diagnostics.push(...log.diagnostics)
  }
  const skills = [...winners.values()].map(({ skill }) => skill).sort(byName)
  return { skills, shadowed, diagnostics: [...diagnostics, ...twins(skills)] }
}

/** A skill without the scripts that its folder has is tested as another skill. */
const reportClosed = ({ dir, entries }: SkillFolder, files: Files, log: SkillLog): void => {
  for (const { name, kind, isLink } of entries) {
    if (kind === 'dir' && !isLink && !isOutOfSight(name)) canBeListed(joinPath(dir, name), [], files, log)
  }
}

const byName = (a: Skill, b: Skill): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

const loadSkill = (
  { dir, folders, entry, entries }: SkillFolder,
  root: SkillRoot,
  rootDir: string,
  files: Files,
  log: SkillLog,
): Skill | undefined => {
  const file = joinPath(dir, entry.name)
  const own = skillLog(file, 'lenient')
  const head = openHead(file, entry, rootDir, files, own)
  log.add(own.diagnostics)
  if (head === undefined) return undefined
  const { skill, diagnostics } = parseSkill({
    head: head.text,
    complete: head.complete,
    dir,
    file,
    source: root.source,
    folders,
  })
  log.add(diagnostics)
  return skill && withSidecar(skill, entries, files, log)
}

const openHead = (
  file: string,
  entry: SkillFolder['entry'],
  rootDir: string,
  files: Files,
  log: SkillLog,
): Head | undefined => {
  if (!isPlainFile(file, entry, rootDir, files, log)) return undefined
  try {
    const head = readHead(file, files)
    if (head.size <= maxSkillBytes) return head
    log.report('file-too-large', 'SKILL.md is larger than 1 MiB')
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    log.report('file-unreadable', error.message)
  }
  return undefined
}

const shadow = (
  skill: Skill,
  winner: { readonly skill: Skill; readonly root: string },
  root: string,
  log: SkillLog,
): ShadowedSkill => {
  const rule = winner.root === root ? 'name-duplicate' : 'name-shadowed'
  log.report(rule, `the skill ${skill.name} is hidden by ${winner.skill.file}, which comes first`, { file: skill.file })
  return { skill, by: winner.skill }
}

/** Names that differ in case alone: nobody can tell which one was meant. */
const twins = (skills: readonly Skill[]): readonly Diagnostic[] => {
  const first = new Map<string, Skill>()
  return skills.flatMap((skill) => {
    const key = normalName(skill.name).toLowerCase()
    const twin = first.get(key)
    if (twin === undefined) first.set(key, skill)
    if (twin === undefined) return []
    const log = skillLog(skill.file, 'lenient')
    log.report('name-twin', `the names ${skill.name} and ${twin.name} (${twin.file}) differ in case only`)
    return log.diagnostics
  })
}
