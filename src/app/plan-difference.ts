import { isDeepStrictEqual } from 'node:util'
import { visibleLine } from '../lib/visible.ts'
import type { ShardFile } from './merged-cases.ts'

/** What a shard of another plan has otherwise, in words, as far as its run.json tells; none where both are of one plan. */
export const planDifferences = (first: ShardFile, other: ShardFile): readonly string[] => {
  const [a, b] = [first.shard, other.shard]
  const told = [
    ...twoOf('version', first.head.tool.version, other.head.tool.version),
    ...twoOf('number of shards', a.total, b.total),
    ...twoOf('seed', first.head.seed, other.head.seed),
    ...suitesOf(a.suites, b.suites),
    ...(isDeepStrictEqual(a.thresholds, b.thresholds) ? [] : ['other thresholds']),
    ...twoOf('number of cases', a.cases, b.cases),
  ]
  if (a.plan === b.plan || told.length > 0) return told
  return [a.suites && b.suites ? 'other cases go to other shards (--timings)' : 'other files or options']
}

const twoOf = (what: string, a: string | number, b: string | number): readonly string[] =>
  a === b ? [] : [`another ${what} (${visibleLine(String(a))} and ${visibleLine(String(b))})`]

type Suites = ShardFile['shard']['suites']

const suitesOf = (a: Suites, b: Suites): readonly string[] => {
  if (!a || !b) return []
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]).sort()
  const shown = names.slice(0, maxShown).map((name) => visibleLine(name, 100))
  const more = names.length > maxShown ? ` and ${names.length - maxShown} more` : ''
  return names.length === 0 ? [] : [`other cases, files, options or skills of ${shown.join(', ')}${more}`]
}

const maxShown = 5
