import type { RunHead } from '../core/results.ts'
import { isAuditMissed } from './audit-tables.ts'
import { formatDuration, formatNumber, plural } from './format-number.ts'
import { missedThresholds } from './thresholds.ts'

/** The run in one line: `12 cases: 10 passed, 1 failed, 1 skipped — 1.2 s`. Counts of 0 are left out. */
export const verdictLine = (run: RunHead): string => {
  const { cases, passed, failed, errors, stale, skipped } = run.summary
  const missed = missedThresholds(run).length
  const counts = [
    part(passed, `${formatNumber(passed)} passed`),
    part(failed, `${formatNumber(failed)} failed`),
    part(errors, plural(errors, 'error')),
    part(stale, `${formatNumber(stale)} stale`),
    part(skipped, `${formatNumber(skipped)} skipped`),
    part(missed, plural(missed, 'threshold missed', 'thresholds missed')),
    part(isAuditMissed(run) ? 1 : 0, plural(run.audit?.vacuous_cases ?? 0, 'vacuous case')),
    ...liftGate(run),
  ].flat()
  const told = counts.length === 0 ? '' : `: ${counts.join(', ')}`
  const isUnfinished = run.interrupted === 'unfinished'
  const interrupted = run.interrupted === undefined ? '' : isUnfinished ? ', unfinished' : ', interrupted'
  const shard = run.shard === undefined ? '' : `, shard ${run.shard.index} of ${run.shard.total}`
  const missing = run.missing_shards === undefined ? '' : `, without shard ${run.missing_shards.join(', ')}`
  return `${plural(cases, 'case')}${told} — ${formatDuration(run.duration_ms)}${shard}${missing}${interrupted}`
}

/** Whether every case that ran passed, every threshold and gate was met and nothing was cut short. */
export const isGood = (run: RunHead): boolean => {
  const { failed, errors, stale } = run.summary
  const isMissed = missedThresholds(run).length > 0 || isAuditMissed(run) || liftGate(run).length > 0
  return failed + errors + stale === 0 && !isMissed && run.interrupted === undefined
}

/** Said of a gate on the lift that is not met. */
const liftGate = ({ baseline }: RunHead): readonly (readonly string[])[] => {
  switch (baseline?.gate?.result) {
    case 'missed':
      return [['the lift is too small']]
    case 'inconclusive':
      return [['the lift may be chance']]
    case 'met':
    case undefined:
      return []
  }
}

const part = (count: number, text: string): readonly string[] => (count === 0 ? [] : [text])
