const times: ReadonlySet<string> = new Set([
  'id',
  'started_at',
  'duration_ms',
  'latency_ms',
  'command',
  'git',
  'merged_from',
])

/** A run.json without what differs between two runs of the same things: times, its id and its command, what it was merged from. */
export const withoutTimes = (run: unknown): unknown =>
  JSON.parse(
    JSON.stringify(run, function (this: unknown, key, value) {
      // A case has an id of its own.
      if (key === 'id') return typeof this === 'object' && this !== null && 'format' in this ? undefined : value
      return times.has(key) ? undefined : value
    }),
  )
