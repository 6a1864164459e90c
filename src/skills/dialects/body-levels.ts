import { countTokens } from '../../lib/tokens.ts'

/** How much of a skill's instructions is given to a model. */
export type BodyLevel = 'full' | 'overview and usage' | 'overview' | 'tools'

export type LevelledBody = { readonly level: BodyLevel; readonly text: string }

/**
 * As much of the instructions as a budget of tokens allows: all, the sections Overview and Usage, Overview alone, or no more
 * than the tools that the skill works with. Instructions without an Overview are given whole: nobody knows what of
 * them could be left out.
 */
export const fitBody = (text: string, tools: readonly string[], maxTokens: number): LevelledBody => {
  const full: LevelledBody = { level: 'full', text }
  if (text.length <= maxTokens) return full
  const levels = bodyLevels(text, tools)
  return levels.find((each) => countTokens(each.text) <= maxTokens) ?? levels.at(-1) ?? full
}

/** The instructions at each level, the most first; all of them alone where they have no Overview. */
export const bodyLevels = (text: string, tools: readonly string[]): readonly LevelledBody[] => {
  const full: LevelledBody = { level: 'full', text }
  const overview = sectionOf(text, 'overview')
  if (overview === undefined) return [full]
  const usage = sectionOf(text, 'usage')
  return [
    full,
    ...(usage === undefined ? [] : [{ level: 'overview and usage', text: `${overview}\n\n${usage}` } as const]),
    { level: 'overview', text: overview },
    { level: 'tools', text: tools.length === 0 ? 'Tools: none named.' : `Tools: ${tools.join(', ')}` },
  ]
}

/** From a heading to the next one of its level or above, outside of code; undefined where there is no such heading. */
const sectionOf = (text: string, name: string): string | undefined => {
  const lines = text.split('\n')
  let fence: string | undefined
  let level = 0
  let start = -1
  for (const [i, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined
    if (fence !== undefined) continue
    const [, marks, title] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? []
    if (marks === undefined || title === undefined) continue
    if (start !== -1 && marks.length <= level) return lines.slice(start, i).join('\n').trim()
    if (start === -1 && title.replace(/[ \t]+#*[ \t]*$/, '').toLowerCase() === name) {
      start = i
      level = marks.length
    }
  }
  return start === -1 ? undefined : lines.slice(start).join('\n').trim()
}
