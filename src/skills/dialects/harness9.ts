import { placeAt } from '../place-at.ts'
import { type Dialect, shownOnly } from './dialect.ts'

/** harness9 reads `key: value` line by line, between two lines `---` that end in LF. */
export const harness9: Dialect = {
  system: 'harness9',
  fields: new Map([['trigger', shownOnly('documentation: never matched')]]),
  waives: ['name-directory', 'name-characters', 'name-lowercase', 'name-length', 'description-length'],
  check: ({ frontmatter, text }, log) => {
    const { fields, positions, split } = frontmatter
    const carriage = text.indexOf('\r\n')
    if (carriage !== -1 && carriage < split.bodyStart)
      log.report('dialect-parser', 'lines of the frontmatter end in CRLF, which is not read there', {
        place: () => placeAt(text, carriage),
        hint: 'Save it with LF line ends.',
      })
    for (const field of ['name', 'description', 'trigger']) {
      if (fields[field] === undefined) continue
      const { line } = positions.key([field])
      const written = frontmatter.split.frontmatter.split('\n')[line - split.line] ?? ''
      const value = written.slice(written.indexOf(':') + 1).trim()
      if (!/^[|>]|^$/.test(value)) continue
      log.report('dialect-parser', `${field} spans several lines, of which none is read there`, {
        place: () => positions.key([field]),
        hint: 'Write it on one line.',
      })
    }
  },
}
