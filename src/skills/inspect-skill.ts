import type { Files } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'
import { argumentNames, placeholdersIn } from '../lib/placeholders.ts'
import { countTokens } from '../lib/tokens.ts'
import { allowedToolsFields } from './allowed-tools.ts'
import { type BodyLevel, bodyLevels } from './dialects/body-levels.ts'
import { type ForeignField, foreignField } from './dialects/dialects.ts'
import { isScript } from './file-kind.ts'
import { ifReadable } from './if-readable.ts'
import { loadBody } from './load-body.ts'
import { maxResourceBytes } from './load-resource.ts'
import { joinPath } from './paths.ts'
import { readFrontmatter } from './read-frontmatter.ts'
import { readHead } from './read-head.ts'
import { renderSkill } from './render-index.ts'
import { skillFiles } from './skill-files.ts'

export type InspectedFile = {
  /** Relative to the skill. */
  readonly path: string
  readonly kind: 'script' | 'text' | 'binary'
  readonly bytes: number
  /** About what it costs to read it, as far as it would be shown; undefined for what is not read. */
  readonly tokens?: number
}

export type SkillInspection = {
  readonly skill: Skill
  readonly tokens: {
    /** What the skill costs in every request: its entry in the index. */
    readonly index: number
    /** Its instructions; null where they can't be read. */
    readonly body: number | null
    /** All its text resources together. */
    readonly resources: number
  }
  readonly bodyLines: number | null
  /** What less of the instructions costs, where they have an Overview; see `limits.max_body_tokens`. */
  readonly levels: readonly { readonly level: BodyLevel; readonly tokens: number }[]
  /** What is filled into the instructions, as it is written there: `$ARGUMENTS`, `${CLAUDE_SKILL_DIR}`. */
  readonly placeholders: readonly string[]
  /** What is wrong with the instructions, in words. */
  readonly problems: readonly string[]
  readonly files: readonly InspectedFile[]
  /** False where the skill has more files, or more text, than is looked at. */
  readonly complete: boolean
  /** The declaration as it is written, in each spelling that is there; `skill.allowedTools` is how it is read. */
  readonly allowedTools: readonly { readonly field: string; readonly value: unknown }[]
  /** Fields that the standard does not know, and what they mean here. */
  readonly extra: readonly ({ readonly field: string; readonly value: unknown } & ForeignField)[]
}

const unknownField: ForeignField = { system: 'unknown', use: 'ignored', meaning: 'no known system has it' }

const maxTextBytes = 4 * 1024 * 1024

/** Everything there is to say about one skill, and what each part of it costs a model. Tokens are estimates. */
export const inspectSkill = async (skill: Skill, files: Files): Promise<SkillInspection> => {
  const body = loadBody(skill, files, { maxBodyLines: Number.POSITIVE_INFINITY, overLong: 'warn' })
  const isBody = !('problem' in body)
  const listed = skillFiles(skill.dir, files)
  let budget = maxTextBytes
  const inspected = listed.files.map(({ path }) => {
    const file = inspectFile(path, joinPath(skill.dir, path), files, budget)
    if (file.kind === 'text') budget -= Math.min(file.bytes, maxResourceBytes)
    return file
  })
  return {
    skill,
    tokens: {
      index: countTokens(renderSkill(skill)),
      body: isBody ? countTokens(body.text) : null,
      resources: inspected.reduce((sum, file) => sum + (file.tokens ?? 0), 0),
    },
    bodyLines: isBody ? body.lines : null,
    levels: isBody ? levelsOf(skill, body.text) : [],
    placeholders: isBody ? placeholdersIn(body.text, argumentNames(skill.extra.arguments)) : [],
    problems: isBody ? body.warnings : [body.problem],
    files: inspected,
    complete: listed.complete && budget > 0,
    allowedTools: declaredTools(skill, files),
    extra: Object.entries(skill.extra).map(([field, value]) => ({
      field,
      value,
      ...(foreignField(field) ?? unknownField),
    })),
  }
}

const levelsOf = (skill: Skill, text: string): SkillInspection['levels'] =>
  bodyLevels(text, skill.requiredTools ?? skill.allowedTools ?? [])
    .slice(1)
    .map(({ level, text: part }) => ({ level, tokens: countTokens(part) }))

const inspectFile = (path: string, file: string, files: Files, budget: number): InspectedFile => {
  const bytes = files.stat(file)?.size ?? 0
  if (isScript(path)) return { path, kind: 'script', bytes }
  const text = ifReadable(() => files.readHead(file, budget > 0 ? maxResourceBytes : 1024).text)
  if (text === undefined || /[\0\ufffd]/.test(text.slice(0, -1))) return { path, kind: 'binary', bytes }
  return budget > 0 ? { path, kind: 'text', bytes, tokens: countTokens(text) } : { path, kind: 'text', bytes }
}

const declaredTools = (skill: Skill, files: Files): SkillInspection['allowedTools'] => {
  const head = ifReadable(() => readHead(skill.file, files))
  const { frontmatter } = readFrontmatter(head?.text ?? '', { file: skill.file, mode: 'lenient' })
  const fields = frontmatter?.fields ?? {}
  return allowedToolsFields(fields).map((field) => ({ field, value: fields[field] }))
}
