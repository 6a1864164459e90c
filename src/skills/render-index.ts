import type { Skill } from '../core/skill.ts'

export type IndexOptions = {
  /** Tell the absolute path of each SKILL.md too: for agents that read the file themselves. */
  readonly locations?: boolean
  /** Names alone, a line each. */
  readonly namesOnly?: boolean
  /** Said at its end, of what was left out. */
  readonly note?: string
}

/**
 * The index as it stands in a prompt, in the given order: the format of the standard's reference implementation, with
 * everything escaped. Without skills, the empty element on two lines.
 */
export const renderIndex = (skills: readonly Skill[], options: IndexOptions = {}): string =>
  [
    '<available_skills>',
    ...(options.namesOnly ? namesOf(skills) : skills.map((skill) => renderSkill(skill, options))),
    ...(options.note === undefined ? [] : [`<note>${escaped(options.note)}</note>`]),
    '</available_skills>',
  ].join('\n')

const namesOf = (skills: readonly Skill[]): string[] =>
  skills.length === 0 ? [] : ['<names>', ...skills.map(({ name }) => escaped(name)), '</names>']

/** One skill's entry in the index. */
export const renderSkill = (skill: Skill, options: IndexOptions = {}): string => {
  const parts = ['<skill>', element('name', skill.name), element('description', skill.description)]
  parts.push(element('source', skill.source))
  if (skill.runsAlone) parts.push(element('runs', 'on its own: its answer comes back, not its instructions'))
  if (options.locations) parts.push(element('location', skill.file))
  parts.push('</skill>')
  return parts.join('\n')
}

const element = (tag: string, text: string): string => `<${tag}>\n${escaped(text)}\n</${tag}>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
