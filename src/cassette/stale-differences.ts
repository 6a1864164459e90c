import type { StaleDifference } from '../core/results.ts'
import type { Part } from './read-request.ts'

/** A text of a difference is cut beyond this many characters, around the place where the two part. */
const MAX_TEXT = 4_000

/** Of one trial: a skill whose script prints otherwise changes every later observation. */
const MAX_DIFFERENCES = 20

/** What was recorded of a part and what it is now; of texts by their names, a difference for each that is not the same. */
export const staleDifferences = (
  part: string,
  was: Part['content'] | undefined,
  is: Part['content'] | undefined,
): StaleDifference[] => {
  if (!isMap(was) && !isMap(is)) return [{ part, ...around(was ?? null, is ?? null) }]
  const [before, now] = [textsOf(was), textsOf(is)]
  const names = [...new Set([...before.keys(), ...now.keys()])].sort()
  return names
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => ({ part, of: name, ...around(before.get(name) ?? null, now.get(name) ?? null) }))
}

export type DifferenceList = {
  /** Keeps what differs in a part, the first time that it does. */
  add(part: string, was: Part['content'] | undefined, is: Part['content'] | undefined): void
  /** As it stands in run.json: left out where there are none. */
  told(): { readonly differences?: StaleDifference[] }
}

export const differenceList = (): DifferenceList => {
  const parts = new Set<string>()
  const found: StaleDifference[] = []
  return {
    add: (part, was, is) => {
      if (parts.has(part) || found.length >= MAX_DIFFERENCES) return
      parts.add(part)
      found.push(...staleDifferences(part, was, is).slice(0, MAX_DIFFERENCES - found.length))
    },
    told: () => (found.length === 0 ? {} : { differences: [...found] }),
  }
}

const isMap = (content: Part['content'] | undefined): content is Readonly<Record<string, string>> =>
  typeof content === 'object'

const textsOf = (content: Part['content'] | undefined): ReadonlyMap<string, string> =>
  new Map(isMap(content) ? Object.entries(content) : content === undefined ? [] : [['', content]])

const around = (was: string | null, is: string | null): Pick<StaleDifference, 'recorded' | 'now'> => {
  if ((was ?? '').length <= MAX_TEXT && (is ?? '').length <= MAX_TEXT) return { recorded: was, now: is }
  const from = startOfLines(was ?? '', partingPlace(was ?? '', is ?? ''))
  return { recorded: was && excerpt(was, from), now: is && excerpt(is, from) }
}

const partingPlace = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}

/** Two lines before the one that differs, unless they are long. */
const startOfLines = (text: string, at: number): number => {
  let from = at
  for (let lines = 0; lines < 3 && from > 0; lines += 1) from = text.lastIndexOf('\n', from - 1)
  return from <= 0 || at - from > MAX_TEXT / 2 ? Math.max(0, at - MAX_TEXT / 4) : from + 1
}

const excerpt = (text: string, from: number): string => {
  const to = Math.min(text.length, from + MAX_TEXT)
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}
