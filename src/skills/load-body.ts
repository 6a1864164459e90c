import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import type { Skill, SkillBody, SkillProblem } from '../core/skill.ts'
import { cleanText, leftOut } from './clean-text.ts'
import { fitBody } from './dialects/body-levels.ts'
import { listResources } from './list-resources.ts'
import { maxSkillBytes } from './read-skill-text.ts'
import { splitFrontmatter } from './split-frontmatter.ts'

export type BodyOptions = {
  readonly maxBodyLines: number
  /** What becomes of a longer body: loaded with a warning, or a problem instead. */
  readonly overLong: 'warn' | 'refuse'
  /** How many tokens of a body are given, by its sections; no limit unless told. */
  readonly maxTokens?: number | undefined
}

/**
 * Reads a skill's instructions from disk: without the frontmatter, line ends normalised, blank lines at both ends and
 * invisible characters left out, with the names of its resources.
 */
export const loadBody = (skill: Skill, files: Files, options: BodyOptions): SkillBody | SkillProblem => {
  const written = readBody(skill, files)
  if (typeof written !== 'string') return written
  const { text: clean, removed } = cleanText(written)
  const whole = clean.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
  const tools = skill.requiredTools ?? skill.allowedTools ?? []
  const { level, text } = fitBody(whole, tools, options.maxTokens ?? Number.POSITIVE_INFINITY)
  const lines = text === '' ? 0 : text.split('\n').length

  const tooLong = `The instructions of ${skill.name} have ${lines} lines, more than ${options.maxBodyLines}.`
  const isTooLong = lines > options.maxBodyLines
  if (isTooLong && options.overLong === 'refuse') return { problem: `${tooLong} They are not loaded.` }
  const warnings: string[] = []
  if (level !== 'full') {
    const most = `more than ${options.maxTokens} tokens`
    warnings.push(`The instructions of ${skill.name} have ${most}: this is no more than their ${level}.`)
  }
  if (isTooLong) warnings.push(tooLong)
  if (removed > 0) warnings.push(`${leftOut(removed)} of the instructions.`)
  if (lines === 0) warnings.push(`The skill ${skill.name} has no instructions.`)

  const { paths, omitted } = listResources(skill.dir, files)
  return {
    text,
    bytes: Buffer.byteLength(text),
    lines,
    resources: paths,
    resourcesOmitted: omitted,
    warnings,
  }
}

const readBody = (skill: Skill, files: Files): string | SkillProblem => {
  try {
    const text = files.readText(skill.file, maxSkillBytes)
    const split = splitFrontmatter(text, { skipBlankLines: true })
    if (split.ok) return text.slice(split.bodyStart)
    return { problem: `The instructions of ${skill.name} can't be read: its SKILL.md has no frontmatter any more.` }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { problem: `The instructions of ${skill.name} can't be read: ${error.message}.` }
  }
}
