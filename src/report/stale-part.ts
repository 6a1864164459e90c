import type { StaleDifference } from '../schema/run.ts'
import { lineDiff } from './line-diff.ts'
import type { ToneLine } from './tone.ts'

export type StalePart = {
  readonly name: string
  /** How it changed, in words. */
  readonly change: string
  readonly diff: readonly ToneLine[]
}

/** A part of a request that is not as it was recorded. `linesOf` makes the lines of a text safe to show. */
export const stalePart = (
  { part, of, recorded, now }: StaleDifference,
  linesOf: (text: string) => readonly string[],
): StalePart => {
  const about = { name: partName(part, of), change: changeOf(recorded, now) }
  // Of a tool, what it does is kept as a digest.
  if (part === 'tools' && !(recorded ?? now ?? '').startsWith('{')) {
    const isOther = recorded !== null && now !== null
    return { ...about, ...(isOther && { change: 'takes other parameters or is described otherwise' }), diff: [] }
  }
  const lines = (text: string | null) => (text === null ? [] : linesOf(readable(text)))
  return { ...about, diff: lineDiff(lines(recorded), lines(now)) }
}

const changeOf = (recorded: string | null, now: string | null): string => {
  if (recorded === null) return 'was not there'
  return now === null ? 'is no longer there' : '- as recorded, + as it is now'
}

const kinds: Readonly<Record<string, string>> = {
  system: 'system prompt',
  body: 'body of the skill',
  input: 'request',
  observation: 'observation',
  judge: 'asked of the judge:',
}
const members: Readonly<Record<string, string>> = { index: 'description of', tools: 'tool', params: 'parameter' }

/** `observation:2` → `observation 2`; the skill, tool or parameter of a part that has several texts. */
const partName = (part: string, of: string | undefined): string => {
  const [kind = part, rest] = part.split(/:(.*)/s)
  if (of !== undefined && of !== '') return `${(Object.hasOwn(members, kind) && members[kind]) || kind} ${of}`
  const title = (Object.hasOwn(kinds, kind) && kinds[kind]) || kind
  return rest === undefined ? title : `${title} ${rest}`
}

/** JSON that was recorded on one line is compared line by line. */
const readable = (text: string): string => {
  if (!text.startsWith('{')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // It only looked like it.
    return text
  }
}
