import { resolve } from 'node:path'
import { deleteCassette, type FoundCassette } from '../app/cassettes.ts'
import { compareCassettes } from '../app/compare-cassettes.ts'
import { type CheckedCassette, loadCassettes, verifyCassettes } from '../app/verify-cassettes.ts'
import { UsageError } from '../core/errors.ts'
import { interruptionCode } from '../core/interruptions.ts'
import { visibleLine } from '../lib/visible.ts'
import { type CassetteRow, cassettesListText, cassetteText, checkedCassettesText } from '../report/cassettes-report.ts'
import { askBeforeDeleting } from './ask-before-deleting.ts'
import type { CommonOptions } from './common-options.ts'
import { interruption } from './interruption.ts'
import { processHost } from './process-host.ts'

export type CassetteFlags = CommonOptions & { readonly suites?: readonly string[]; readonly yes?: boolean }

const queryOf = (wanted: readonly string[], flags: CassetteFlags) => ({
  paths: flags.suites ?? ['evals'],
  wanted,
  ...(flags.config === undefined ? {} : { config: flags.config }),
})

const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)

const rowOf = (found: FoundCassette, state: string, reason?: string): CassetteRow => ({
  path: found.path,
  bytes: found.bytes,
  ...('cassette' in found ? { cassette: found.cassette } : {}),
  state,
  ...(reason === undefined ? {} : { reason }),
})

const asData = ({ path, bytes, cassette, state, reason }: CassetteRow) => ({
  path,
  bytes,
  ...(cassette === undefined
    ? {}
    : {
        suite: cassette.suite,
        case: cassette.case,
        profile: cassette.profile,
        ...(cassette.arm === undefined ? {} : { arm: cassette.arm }),
        recorded: cassette.recorded,
        trials: cassette.trials.length,
        turns: cassette.trials.reduce((sum, { turns }) => sum + turns.length, 0),
        judged: cassette.trials.reduce((sum, { judge = [] }) => sum + judge.length, 0),
      }),
  state,
  ...(reason === undefined ? {} : { reason }),
})

export const listFromCli = async (wanted: readonly string[], flags: CassetteFlags): Promise<number> => {
  const host = processHost(flags.C)
  const { found, orphanReason } = await loadCassettes(queryOf(wanted, flags), host)
  const rows = found.map((one) => {
    if ('problem' in one) return rowOf(one, 'unreadable', one.problem)
    const reason = orphanReason(one)
    return reason === undefined ? rowOf(one, 'ok') : rowOf(one, 'orphan', reason)
  })
  if (flags.json) printJson({ recordings: rows.map(asData) })
  else {
    const width = process.stdout.isTTY ? host.width : Number.POSITIVE_INFINITY
    host.stdout(await cassettesListText(rows, { color: host.color, width }))
  }
  return 0
}

export const showFromCli = async (wanted: readonly string[], flags: CassetteFlags): Promise<number> => {
  const host = processHost(flags.C)
  const { found } = await loadCassettes(queryOf(wanted, flags), host)
  const unreadable = found.find((one) => 'problem' in one)
  if (unreadable && 'problem' in unreadable) {
    throw new UsageError('bad_cassette', `${visibleLine(unreadable.path)} can't be shown: ${unreadable.problem}`)
  }
  const cassettes = found.flatMap((one) => ('cassette' in one ? [one] : []))
  if (flags.json) printJson(cassettes.map(({ cassette }) => cassette))
  else for (const { path, cassette } of cassettes) host.stdout(cassetteText(path, cassette, { color: host.color }))
  return 0
}

/** Exit 1 for a secret, a file that is no use, an orphan or a replay that broke off; 4 where something is stale. */
const codeOf = (checked: readonly CheckedCassette[]): number => {
  if (checked.some(({ state }) => state !== 'ok' && state !== 'stale')) return 1
  return checked.some(({ state }) => state === 'stale') ? 4 : 0
}

const check = async (wanted: readonly string[], flags: CassetteFlags, isBrief: boolean): Promise<number> => {
  const interrupted = interruption()
  const host = processHost(flags.C, interrupted.signal)
  try {
    const checked = await verifyCassettes(queryOf(wanted, flags), host)
    if (interrupted.signal.aborted) return interruptionCode(interrupted.signal.reason)
    const rows = checked.map(({ found, state, reason }) => rowOf(found, state, reason))
    if (flags.json) printJson({ recordings: rows.map(asData) })
    else host.stdout(checkedCassettesText(rows, { color: host.color, isBrief }))
    return codeOf(checked)
  } finally {
    interrupted.release()
  }
}

export const verifyFromCli = (wanted: readonly string[], flags: CassetteFlags): Promise<number> =>
  check(wanted, flags, true)

export const diffFromCli = async (wanted: readonly string[], flags: CassetteFlags): Promise<number> => {
  const host = processHost(flags.C)
  const files = wanted.map((path) => resolve(host.cwd, path))
  const [first, second] = files
  const areFiles = files.length === 2 && files.every((file) => host.files.stat(file)?.kind === 'file')
  if (!areFiles || first === undefined || second === undefined) return check(wanted, flags, false)
  const diff = await compareCassettes(first, second, host)
  if (flags.json) printJson({ same: diff === '', diff })
  else host.stdout(diff === '' ? 'the same conversation\n' : `${diff}\n`)
  return diff === '' ? 0 : 1
}

export const pruneFromCli = async (wanted: readonly string[], flags: CassetteFlags): Promise<number> => {
  const host = processHost(flags.C)
  const { prepared, found, orphanReason } = await loadCassettes(queryOf(wanted, flags), host)
  const orphans = found.flatMap((one) => {
    const reason = orphanReason(one)
    return reason === undefined ? [] : [{ one, reason }]
  })
  if (!flags.json) {
    for (const { one, reason } of orphans) host.stderr(`${visibleLine(one.path, 500)}: ${visibleLine(reason, 500)}\n`)
  }
  if (orphans.length > 0 && !flags.yes && !(await askBeforeDeleting(orphans.length))) {
    host.stderr('nothing was deleted\n')
    return 0
  }
  for (const { one } of orphans) deleteCassette(one, prepared.project, prepared.config)
  if (flags.json) printJson({ deleted: orphans.map(({ one }) => one.path) })
  else host.stdout(`${orphans.length} deleted\n`)
  return 0
}
