import { visibleLine } from '../lib/visible.ts'
import { checkText } from './check-body.ts'
import type { CheckedSkill } from './checked-skill.ts'
import { hasScriptExtension } from './file-kind.ts'
import { ifReadable } from './if-readable.ts'
import { mentionedNames } from './mentioned-names.ts'
import { baseName, extensionOf, joinPath } from './paths.ts'
import { placeAt } from './place-at.ts'

const limits = { textBytes: 256 * 1024, allBytes: 4 * 1024 * 1024 } as const

/**
 * The files that the instructions mention, or a file that is mentioned: as something of its own, or as a module, which
 * is only mentioned in passing or by code. Markdown that is reached is looked at for hidden text, and for what it
 * alone names.
 */
export const reachFiles = (skill: CheckedSkill, paths: readonly string[]): ReadonlyMap<string, 'own' | 'module'> => {
  const reached = new Map<string, 'own' | 'module'>()
  const queue: Text[] = [{ path: instructions, text: skill.body.text }]
  let budget: number = limits.allBytes
  for (const from of queue) {
    if (reached.size === paths.length) break
    const kind = isProse(from.path) ? 'prose' : 'code'
    const mentioned = mentionedNames(from.text, kind)
    for (const path of paths) {
      const how = reached.has(path) ? undefined : mentioned(path)
      if (how === undefined) continue
      reached.set(path, kind === 'prose' && how === 'by-name' ? 'own' : 'module')
      if (how === 'by-name') checkNesting(skill, from, path)
      if (!isProse(path) && !isCode(path)) continue
      const text = readText(skill, path, budget)
      budget -= text.length
      queue.push({ path, text })
    }
  }
  if (budget <= 0) skill.log.report('not-checked', 'the files are too large: not all of their text was looked at')
  return reached
}

type Text = { readonly path: string; readonly text: string }

const instructions = 'SKILL.md'

const isProse = (path: string): boolean => /\.(?:md|markdown|mdx|txt|rst)$/i.test(path)

const isCode = (path: string): boolean =>
  hasScriptExtension(path) || /\.(?:tsx|jsx|rb|pl|go|rs|java|php|r|jl|html?|css|tmpl|j2)$/i.test(path)

/** Markdown that only other Markdown names: whoever reads SKILL.md does not learn of it. */
const checkNesting = ({ dir, log }: CheckedSkill, from: Text, path: string): void => {
  if (from.path === instructions || extensionOf(from.path) !== '.md' || extensionOf(path) !== '.md') return
  log.report('reference-nested', `${visibleLine(path)} is mentioned here only, not in SKILL.md`, {
    file: joinPath(dir, from.path),
    place: () => placeAt(from.text, Math.max(0, from.text.indexOf(baseName(path)))),
  })
}

const readText = ({ dir, files, log }: CheckedSkill, path: string, budget: number): string => {
  if (budget <= 0) return ''
  const file = joinPath(dir, path)
  const text = ifReadable(() => files.readHead(file, Math.min(budget, limits.textBytes)).text) ?? ''
  if (isProse(path)) checkText(text, 1, log, file)
  return text
}
