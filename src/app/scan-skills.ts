import { resolve } from 'node:path'
import { UsageError } from '../core/errors.ts'
import { nearest } from '../lib/nearest.ts'
import type { Scan, ScannedSkill } from '../schema/scan.ts'
import { findSkillFolders } from '../skills/find-skill-folders.ts'
import { baseName, joinPath } from '../skills/paths.ts'
import { type ScanSeverity, scanRules, scanSeverities } from '../skills/scan/scan-rules.ts'
import { scanSkill } from '../skills/scan/scan-skill.ts'
import type { Host } from './host.ts'
import { findProject, shownPath } from './project.ts'
import { inspectableSkill, listSkills } from './skills.ts'

export type ScanOptions = {
  readonly config?: string | undefined
  readonly failOn?: ScanSeverity | undefined
  /** Rules whose findings do not count. */
  readonly acceptRisk?: readonly string[] | undefined
}

/**
 * Scans skills by PATH (a skill, its SKILL.md, a folder of skills) or NAME; all of the project's and the user's where
 * none is given. Throws a UsageError for what is none, and for a rule that there is not.
 */
export const scanSkills = (targets: readonly string[], options: ScanOptions, host: Host): Scan => {
  const accepted = acceptedRules(options.acceptRisk ?? [])
  const project = findProject(host.cwd, host.home, host.files)
  const folders = [
    ...new Set(targets.length === 0 ? ownSkills(options, host) : targets.flatMap(foldersOf(options, host))),
  ]
  const skills = folders.map((folder): ScannedSkill => {
    const { findings, complete, files, bytes } = scanSkill(host.files, folder)
    return {
      name: baseName(folder),
      path: shownPath(project, folder),
      complete,
      files,
      bytes,
      findings: findings.map((finding) => ({
        ...finding,
        file: shownPath(project, finding.file === '.' ? folder : joinPath(folder, finding.file)),
        accepted: accepted.has(finding.rule),
      })),
    }
  })
  const all = skills.flatMap(({ findings }) => findings)
  const open = all.filter((finding) => !finding.accepted)
  const count = (severity: ScanSeverity) => open.filter((finding) => finding.severity === severity).length
  const limit = options.failOn === undefined ? Number.POSITIVE_INFINITY : scanSeverities.indexOf(options.failOn)
  return {
    format: 'skills-eval/scan@1',
    skills,
    counts: {
      high: count('high'),
      medium: count('medium'),
      low: count('low'),
      info: count('info'),
      accepted: all.length - open.length,
    },
    complete: skills.every((skill) => skill.complete),
    failed: open.some(({ severity }) => scanSeverities.indexOf(severity) >= limit),
  }
}

/** The rules that were named; throws a UsageError for one that there is not. */
export const acceptedRules = (rules: readonly string[]): ReadonlySet<string> => {
  const known = scanRules.map(({ id }) => id as string)
  for (const rule of rules) {
    if (known.includes(rule)) continue
    const [close] = nearest(rule, known)
    throw new UsageError('bad_rule', `no rule is called ${rule}`, {
      hint: close === undefined ? `There is: ${known.join(', ')}.` : `Did you mean ${close}?`,
    })
  }
  return new Set(rules)
}

/** What others wrote and this machine would use; the built-in skills are ours. */
const ownSkills = (options: ScanOptions, host: Host): string[] => {
  const { skills } = listSkills({ config: options.config }, host)
  const own = skills.filter(({ source }) => source !== 'builtin').map(({ dir }) => dir)
  if (own.length > 0) return own
  throw new UsageError('no_skill', 'there are no skills in this project or in your home folder', {
    hint: 'Give a folder: skills-eval skills scan PATH.',
  })
}

const foldersOf =
  (options: ScanOptions, host: Host) =>
  (target: string): readonly string[] => {
    const absolute = resolve(host.cwd, target).replace(/\/skill\.md$/i, '')
    const isPath = /[/\\.]/.test(target) || host.files.stat(absolute)?.kind === 'dir'
    if (!isPath) return [inspectableSkill(target, options, host).dir]
    const folders = findSkillFolders(absolute, host.files)
    if (folders.length > 0) return folders
    const isFolder = host.files.stat(absolute)?.kind === 'dir'
    throw new UsageError('no_skill', isFolder ? `there is no skill in ${target}` : `there is no folder ${target}`, {
      hint: 'Give a skill folder, or a folder of skill folders.',
    })
  }
