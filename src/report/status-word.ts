import type { Status } from '../core/results.ts'
import type { Tone } from './tone.ts'

/** How a status reads at the start of a line: what needs a look is loud. */
export const statusWords: Readonly<Record<Status, { readonly word: string; readonly tone: Tone }>> = {
  passed: { word: 'ok', tone: 'good' },
  failed: { word: 'FAIL', tone: 'bad' },
  error: { word: 'ERROR', tone: 'bad' },
  stale: { word: 'STALE', tone: 'bad' },
  skipped: { word: 'skip', tone: 'faint' },
}
