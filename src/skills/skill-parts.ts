import type { CoveredPart, PartKind } from '../core/coverage.ts'
import type { Files } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'
import { isScript } from './file-kind.ts'
import { ifReadable } from './if-readable.ts'
import { inspectSkill } from './inspect-skill.ts'
import { mentionedNames } from './mentioned-names.ts'
import { baseName, joinPath } from './paths.ts'

export type SkillPart = Omit<CoveredPart, 'evidence'>

export const bodyPath = 'SKILL.md'

/** What there is of a skill to be loaded or run: its instructions, and its files but licences. */
export const skillParts = async (skill: Skill, files: Files): Promise<SkillPart[]> => {
  const { tokens, files: found } = await inspectSkill(skill, files)
  const parts = found.flatMap((file): SkillPart[] =>
    isLicence(file.path) ? [] : [{ path: file.path, kind: kindOf(file.path), tokens: file.tokens ?? null }],
  )
  return [{ path: bodyPath, kind: 'body', tokens: tokens.body }, ...parts]
}

const isLicence = (path: string): boolean => /^(?:licen[cs]e|notice|copying)\b/i.test(baseName(path))

const kindOf = (path: string): PartKind => {
  if (isScript(path)) return 'script'
  const [top = ''] = path.toLowerCase().split('/')
  if (top === 'references' || top === 'reference') return 'reference'
  return top === 'assets' ? 'asset' : 'other'
}

const maxCodeBytes = 256 * 1024

/** The files that scripts use: named in their code, or in that of a file so named. A guess, on the side of yes. */
export const namedByScripts = (
  skill: Skill,
  scripts: Iterable<string>,
  paths: readonly string[],
  files: Files,
): ReadonlySet<string> => {
  const named = new Set<string>()
  const queue = [...scripts].filter(isScript)
  for (const script of queue) {
    const text = ifReadable(() => files.readHead(joinPath(skill.dir, script), maxCodeBytes).text) ?? ''
    const mentions = mentionedNames(text, 'code')
    for (const path of paths) {
      if (path === script || named.has(path) || mentions(path) === undefined) continue
      named.add(path)
      if (isScript(path)) queue.push(path)
    }
  }
  return named
}
