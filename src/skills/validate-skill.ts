import type { Diagnostic } from '../core/diagnostic.ts'
import type { Files } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'
import { allowedToolsFields } from './allowed-tools.ts'
import { checkAllowedTools } from './check-allowed-tools.ts'
import { checkBody } from './check-body.ts'
import { checkFields } from './check-fields.ts'
import { checkFiles } from './check-files.ts'
import { skillLog } from './diagnose.ts'
import type { DialectSkill } from './dialects/dialect.ts'
import { dialectOf, fieldsOf, type SkillProfile } from './dialects/dialects.ts'
import { maxSidecarBytes } from './dialects/hermes-sidecar.ts'
import { ifReadable } from './if-readable.ts'
import { type LocatedSkill, locateSkill } from './locate-skill.ts'
import { baseName, joinPath } from './paths.ts'
import { readFrontmatter } from './read-frontmatter.ts'
import { readSkillText } from './read-skill-text.ts'
import { toSkill } from './to-skill.ts'

export type ValidateOptions = {
  /** Judge as a client that loads it, not by the standard's letter. */
  readonly lenient?: boolean
  /** By whose rules; the standard's unless told. */
  readonly profile?: SkillProfile
}

/**
 * Judges one skill: a folder, or its SKILL.md. Strict by the standard, with the verdicts of its reference validator,
 * and with warnings beyond it; `skillRules` lists what is looked at. A file that can't be read as a SKILL.md gives the
 * one error that says so, faults of the fields accumulate. `skill` is there where it could be loaded, valid or not.
 * Never throws for what is on disk.
 */
export const validateSkill = async (
  path: string,
  files: Files,
  options: ValidateOptions = {},
): Promise<{ readonly skill: Skill | undefined; readonly diagnostics: readonly Diagnostic[] }> => {
  const mode = options.lenient ? 'lenient' : 'strict'
  const log = skillLog(path, mode)
  const dialect = dialectOf(options.profile ?? 'spec')
  const place = locateSkill(path, files, log)
  const text = place && readSkillText(place.file, files, log)
  if (place === undefined || text === undefined) return { skill: undefined, diagnostics: log.diagnostics }

  const { frontmatter, log: own } = readFrontmatter(text, { file: place.file, mode })
  if (frontmatter === undefined) return { skill: undefined, diagnostics: [...log.diagnostics, ...own.diagnostics] }
  const { split } = frontmatter
  const body = { text: text.slice(split.bodyStart), line: split.bodyLine }
  const skillPlace = {
    dir: place.realDir,
    file: joinPath(place.realDir, baseName(place.file)),
    folders: [place.folder],
  }
  checkFields(frontmatter, skillPlace.folders, own, dialect && fieldsOf(dialect))
  const skill = toSkill(frontmatter, { ...skillPlace, source: 'project' }, own)
  const [field] = allowedToolsFields(frontmatter.fields)
  if (skill?.allowedTools && field) {
    checkAllowedTools(skill.allowedTools, own, () => frontmatter.positions.at([field]))
  }
  checkBody(body, own)
  checkFiles({ dir: place.dir, entries: place.entries, body, files, log: own })
  dialect?.check({ frontmatter, text, body: body.text, ...siblingsOf(place, files) }, own)
  const waived = new Set(dialect?.waives.map((rule) => `skill/${rule}`))
  return { skill, diagnostics: [...log.diagnostics, ...own.diagnostics].filter(({ code }) => !waived.has(code)) }
}

const siblingsOf = (
  { dir, entries }: LocatedSkill,
  files: Files,
): Pick<DialectSkill, 'dir' | 'entries' | 'sibling'> => ({
  dir,
  entries,
  sibling: (name) =>
    entries.some((entry) => entry.name === name && entry.kind === 'file' && !entry.isLink)
      ? ifReadable(() => files.readText(joinPath(dir, name), maxSidecarBytes))
      : undefined,
})
