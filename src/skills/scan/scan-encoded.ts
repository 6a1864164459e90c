import { visibleLine } from '../../lib/visible.ts'
import { type EncodedText, encodedTexts } from './encoded-text.ts'
import { scanCode } from './scan-code.ts'
import { type ScanLog, type ScannedText, scanLog } from './scan-log.ts'
import { scanProse } from './scan-prose.ts'

const MAX_NESTED = 4

/**
 * What is encoded in a text, and what it says. All of it is looked at, also what is encoded again inside; in one go, for a
 * thousand short pieces would take long one by one.
 */
export const scanEncoded = (source: ScannedText, isScript: boolean, log: ScanLog): void => {
  const pieces: (EncodedText & { readonly decoded: string })[] = []
  for (const piece of encodedTexts(source.text)) {
    const { offset, length, decoded } = piece
    if (decoded !== undefined) pieces.push({ ...piece, decoded })
    else if (isScript && length >= 400)
      log.report('encoded-payload', source.file, 'a long run of encoded bytes', {
        severity: 'medium',
        at: { source, offset },
      })
  }
  const worst = worstOf(
    pieces.map(({ decoded }) => decoded),
    source.file,
  )
  for (const [i, { offset, decoded, isData }] of pieces.entries()) {
    const message = worst.get(i)
    if (isData && message === undefined) continue
    log.report('encoded-payload', source.file, message ? `encoded text: ${message}` : 'encoded text', {
      severity: message ? 'high' : 'low',
      at: { source, offset },
      excerpt: visibleLine(`decoded: ${decoded}`, 160),
    })
  }
}

/** The worst that is said in each text, by its number; nothing where it is harmless. */
const worstOf = (texts: readonly string[], file: string, depth = 0): ReadonlyMap<number, string> => {
  const worst = new Map<number, string>()
  if (texts.length === 0) return worst
  // A text may be split over lines of its own: each begins on a line that is known.
  const starts: number[] = []
  let line = 1
  for (const text of texts) {
    starts.push(line)
    line += text.split('\n').length + 1
  }
  const at = (place: number): number => starts.findLastIndex((start) => start <= place)
  const source = { file, text: texts.join('\n\n'), line: 1 }
  const log = scanLog()
  scanProse(source, 'comment', log)
  scanCode(source, 'unknown', 'script', log)
  for (const { severity, line: place, message } of log.findings())
    if ((severity === 'high' || severity === 'medium') && place !== undefined && !worst.has(at(place)))
      worst.set(at(place), message)
  if (depth === MAX_NESTED) return worst
  for (const [i, text] of texts.entries()) {
    const inner = [...encodedTexts(text)].flatMap(({ decoded }) => (decoded === undefined ? [] : [decoded]))
    const [message] = worstOf(inner, file, depth + 1).values()
    if (message !== undefined && !worst.has(i)) worst.set(i, message)
  }
  return worst
}
