/** What the viewer shows in a place of its own, not what there may be: anything else of a result is shown as it is. */
const shownMembers = {
  run: 'format id started_at duration_ms tool command git seed interrupted summary suites baseline audit interference shard missing_shards arm',
  summary:
    'cases trials passed failed errors stale skipped pass_rate interval trigger usage cost_usd judge latency_ms actions thresholds trials_saved',
  suite: 'name path description distractors summary models cases',
  case: 'id description input tags model line golden status reason pass_rate pass_at_k pass_pow_k interval flaky baseline part trials_planned trials',
  trial:
    'n attempts status reason error score output skills_selected plan actions checks usage cost_usd duration_ms latency_ms judge cassette',
  action: 'turn action params status rule observation exit_code duration_ms actions',
  check: 'name kind place passed score weight message expected actual',
} as const

/** The members of a part of the result that have no place of their own in the viewer. */
export const otherMembers = (
  part: keyof typeof shownMembers,
  value: object,
): readonly (readonly [string, unknown])[] => {
  const shown = shownMembers[part].split(' ')
  return Object.entries(value).filter(([key, member]) => member !== undefined && !shown.includes(key))
}
