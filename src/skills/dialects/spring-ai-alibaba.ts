import { placeAt } from '../place-at.ts'
import { actedOn, type Dialect } from './dialect.ts'

/** There, tools that a skill names are its own: the model gets them with it. */
const meaning = 'read as allowed-tools; with tools.offer: per_skill, tools of the run that it names come with the skill'

/** Spring AI Alibaba's SkillScanner: four fields, and a frontmatter that ends at the first `---`. */
export const springAiAlibaba: Dialect = {
  system: 'Spring AI Alibaba',
  fields: new Map([
    ['allowed_tools', actedOn(meaning)],
    ['allowedTools', actedOn(meaning)],
  ]),
  waives: ['allowed-tools-spelling', 'name-characters', 'name-lowercase', 'name-directory'],
  check: ({ frontmatter, text }, log) => {
    const { fields, positions, split } = frontmatter
    if (
      fields['allowed-tools'] !== undefined &&
      fields.allowed_tools === undefined &&
      fields.allowedTools === undefined
    )
      log.report('dialect-ignored', 'allowed-tools is not read there', {
        place: () => positions.key(['allowed-tools']),
        hint: 'Write allowed_tools as well.',
      })
    for (const field of ['allowed_tools', 'allowedTools'])
      if (typeof fields[field] === 'string' && /[\s,]/.test(fields[field].trim()))
        log.report('dialect-value', `${field} is one text there: the name of a single tool`, {
          place: () => positions.at([field]),
          hint: 'Write a list.',
        })
    const start = text.indexOf('---') + 3
    const inside = text.indexOf('---', start)
    const closing = text.lastIndexOf('---', split.bodyStart - 1)
    if (inside !== -1 && inside < closing)
      log.report('dialect-parser', 'the first --- ends the frontmatter there, also inside a value', {
        place: () => placeAt(text, inside),
        hint: 'Write a dash of another kind.',
      })
  },
}
