import { scanHiddenText } from './hidden-text.ts'
import { scanCode } from './scan-code.ts'
import { scanEncoded } from './scan-encoded.ts'
import type { ScanLog, ScannedText } from './scan-log.ts'
import { scanProse } from './scan-prose.ts'

/** Shorter ones turn up in any bytes by chance. */
const MIN_RUN = 8

/**
 * The text in a file that is none as a whole and does not begin as what its name says: somebody may read it out or run it.
 * What stands between the pieces stays unknown, and that is said.
 */
export const scanRuns = (source: ScannedText, isRun: boolean, log: ScanLog): void => {
  log.report('not-checked', source.file, 'only the pieces of text in it were looked at', { severity: 'info' })
  const text = textRuns(source.text)
  if (text === '') return
  const runs = { ...source, text }
  scanProse(runs, 'data', log)
  // Of bytes that look like code by chance only what is grave is worth a word.
  scanCode(runs, 'unknown', isRun ? 'script' : 'instructions', graveOnly(log))
  scanHiddenText(runs, log)
  scanEncoded(runs, false, log)
}

/** Runs of printable characters, each on lines of its own; also those with a zero behind each character, as UTF-16 has. */
export const textRuns = (text: string): string =>
  text
    .replace(/(?:[\t\n\r -~]\0){8,}/g, (wide) => `\n${wide.replaceAll('\0', '')}\n`)
    .split(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]+/)
    .filter((run) => run.length >= MIN_RUN)
    .join('\n')

const graveOnly = (log: ScanLog): ScanLog => ({
  ...log,
  report: (rule, file, message, details) => {
    if (details?.severity === 'high' || details?.severity === 'medium') log.report(rule, file, message, details)
  },
})
