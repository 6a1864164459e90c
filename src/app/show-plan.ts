import { armName } from '../core/arm.ts'
import { providerAddress } from '../core/provider-address.ts'
import type { Profile } from '../schema/config.ts'
import type { Host } from './host.ts'
import { isLive } from './open-model.ts'
import { plannedJudge, plannedRecordings } from './planned-recordings.ts'
import type { PreparedRun } from './prepare-run.ts'
import { requirePrices } from './price-gate.ts'
import { findProfile } from './profiles.ts'
import { isAsked, type RecordingChoice } from './recorded-models.ts'
import { isSaved, type PreparedBaseline } from './run-baseline.ts'
import type { RunOptions } from './run-options.ts'

/** `--list` and `--dry-run`: the cases that there are, or what it would take to run them; nothing is run. */
export const showPlan = async (
  prepared: PreparedRun & { readonly baseline: PreparedBaseline | undefined },
  options: RunOptions,
  host: Host,
): Promise<number> => {
  const { plan, config } = prepared
  const report = await import('../report/plan-report.ts')
  if (options.list) {
    for (const text of report.listPlan(plan)) host.stdout(text)
    return 0
  }
  await requirePrices(plan, config, options, host)
  const contacts = (model: string) => contactOf(findProfile(model, config), options, host)
  const { estimateCosts } = await import('./estimate-cost.ts')
  const planned = async (of: PreparedRun, choice: RecordingChoice) => ({
    ...report.planTotals(
      of.plan,
      contacts,
      plannedRecordings(of, choice, host),
      plannedJudge(config, choice, host, contacts),
    ),
    estimates: await estimateCosts(of, choice, host),
  })
  const { baseline } = prepared
  const totals = {
    ...(await planned(prepared, options)),
    ...(baseline && {
      baseline: {
        arm: armName(baseline.found.arm),
        reused: isSaved(prepared, baseline, options, host),
        ...(await planned({ ...prepared, ...baseline.arm }, baseline.choice)),
      },
    }),
  }
  if (options.json) host.stdout(`${JSON.stringify(totals, null, 2)}\n`)
  else host.stdout(await report.dryRunText(totals, { color: host.color, width: host.width }))
  return 0
}

/** A scripted model contacts nobody, nor does a replay. */
const contactOf = (profile: Profile, options: RunOptions, host: Host): string | null =>
  isLive(profile) && isAsked(profile, options, host) ? new URL(providerAddress(profile)).host : null
