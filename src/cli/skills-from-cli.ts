import { installedOf, recoverInstalled } from '../app/installed-skills.ts'
import { findProject } from '../app/project.ts'
import * as skills from '../app/skills.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'
import { showDiagnostics } from './report-error.ts'

type Flags = CommonOptions & { readonly source?: string; readonly limit?: number }

const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)

/** Where stdout is no terminal, nothing is cut to a width. */
const textOptions = (host: { readonly color: boolean; readonly width: number }) => ({
  color: host.color,
  width: process.stdout.isTTY ? host.width : Number.POSITIVE_INFINITY,
})

export const listSkills = async (flags: Flags): Promise<number> => {
  const host = processHost(flags.C)
  recoverInstalled(flags, host)
  const index = skills.listSkills(flags, host)
  const installed = installedOf(index.skills, flags, host)
  if (flags.json) {
    const listed = index.skills.map((skill) => ({ ...skill, ...asInstalled(installed.get(skill.dir)) }))
    printJson({ skills: listed, shadowed: index.shadowed, diagnostics: index.diagnostics })
    return 0
  }
  const { skillsListText } = await import('../report/skills-report.ts')
  process.stdout.write(await skillsListText(index, textOptions(host), installed))
  const worthTelling = index.diagnostics.filter(isWorthTelling)
  if (!flags.quiet) await showDiagnostics(worthTelling, findProject(host.cwd, host.home, host.files).dir)
  return 0
}

const asInstalled = <T>(installed: T | undefined): { installed?: T } => (installed === undefined ? {} : { installed })

/** What leaves a skill out of the list. */
const isWorthTelling = ({ severity, code }: Diagnostic): boolean =>
  severity === 'error' || code === 'skill/folder-unreadable'

export const searchSkills = async (query: string, flags: Flags): Promise<number> => {
  const host = processHost(flags.C)
  const hits = await skills.searchSkills(query, flags.limit ?? 10, flags, host)
  if (flags.json) printJson(hits)
  else {
    const { skillHitsText } = await import('../report/skills-report.ts')
    process.stdout.write(await skillHitsText(hits, textOptions(host)))
  }
  return 0
}

export const inspectOneSkill = async (name: string, flags: Flags): Promise<number> => {
  const host = processHost(flags.C)
  const inspection = await skills.inspectSkill(name, flags, host)
  const installed = installedOf([inspection.skill], flags, host).get(inspection.skill.dir)
  const proof = installed && (await import('../app/kept-proofs.ts')).installedProof(inspection.skill.dir, host)
  const shown = { ...inspection, ...asInstalled(installed), ...(proof === undefined ? {} : { proof }) }
  if (flags.json) printJson(shown)
  else {
    const { skillInspectionText } = await import('../report/skill-inspection.ts')
    process.stdout.write(await skillInspectionText(shown, textOptions(host)))
  }
  return 0
}
