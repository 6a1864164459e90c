import { visibleLine } from '../../lib/visible.ts'
import { firstInvisible } from '../clean-text.ts'
import type { ScanLog, ScannedText } from './scan-log.ts'

/** Characters that a reader does not see and a model does: tags, zero-width and bidi ones, controls. */
export const scanHiddenText = (source: ScannedText, log: ScanLog): void => {
  scanTags(source, log)
  const text = source.text.replace(/^\ufeff/, ' ').replace(emojiFlags, (flag) => ' '.repeat(flag.length))
  for (const { pattern, what, severity } of kinds) {
    for (const match of text.matchAll(pattern)) {
      log.report('hidden-text', source.file, what, { severity, at: { source, offset: match.index } })
    }
  }
  // The cleaner knows which joiners shape letters and emoji; what else it would remove is hidden.
  const rest = text.replace(all, (found) => ' '.repeat(found.length))
  const at = firstInvisible(rest)
  if (at !== -1) {
    log.report('hidden-text', source.file, 'invisible characters', { severity: 'medium', at: { source, offset: at } })
  }
}

/** England, Scotland and Wales are spelt in tags, and end with one. */
const emojiFlags = /\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{1,6}\u{e007f}/gu

const kinds = [
  {
    pattern: /[\u202a-\u202e\u2066-\u2069]/g,
    what: 'bidi controls, which show text in another order than it is read in',
    severity: 'high',
  },
  {
    pattern: /(?:[\u200b\u2060-\u2064\ufeff]|[\ufe00-\ufe0e\u{e0100}-\u{e01ef}]){4,}/gu,
    what: 'a run of zero-width characters, which can spell out text',
    severity: 'high',
  },
  { pattern: /[\x00-\x08\x0b\x0e-\x1f\x7f]/g, what: 'control characters, which terminals obey', severity: 'medium' },
] as const

const all =
  /[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0e-\x1f\x7f\u200e\u200f]|[\ufe00-\ufe0f]|(?:[\u200b\u2060-\u2064\ufeff]|[\u{e0100}-\u{e01ef}]){4,}|[\u{e0000}-\u{e007f}]|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu

const scanTags = (source: ScannedText, log: ScanLog): void => {
  const text = source.text.replace(emojiFlags, (flag) => ' '.repeat(flag.length))
  for (const match of text.matchAll(/[\u{e0000}-\u{e007f}]+/gu)) {
    const said = [...match[0]].map((tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)).join('')
    log.report('hidden-text', source.file, 'text in invisible tag characters', {
      severity: 'high',
      at: { source, offset: match.index },
      excerpt: visibleLine(`hidden: ${said}`, 160),
    })
  }
}
