import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installSkills } from '../app/install-skills.ts'
import { packSkills } from '../app/pack-skills.ts'
import { signPack } from '../app/sign-pack.ts'
import { makeKey } from '../app/signing-key.ts'
import { uninstallSkill } from '../app/uninstall-skill.ts'
import { verificationExitCode, verifySkills } from '../app/verify-skills.ts'
import { UsageError } from '../core/errors.ts'
import { interruptionCode } from '../core/interruptions.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

export type RootFlags = CommonOptions & { readonly root?: string; readonly user?: boolean; readonly force?: boolean }
export type VerifyFlags = RootFlags & { readonly acceptUnsigned?: boolean; readonly acceptUnknownKey?: boolean }
type RiskFlags = VerifyFlags & { readonly acceptRisk?: readonly string[] }
export type InstallFlags = RiskFlags & { readonly requireManifest?: boolean; readonly hub?: string }
export type UpdateFlags = RiskFlags & { readonly dryRun?: boolean }
export type PackFlags = CommonOptions & {
  readonly output?: string
  readonly name?: string
  readonly version?: string
  readonly sign?: string | true
  readonly proof?: boolean
  readonly suites?: readonly string[]
}
export type ProveFlags = RootFlags & { readonly runGraders?: boolean }
export type KeyFlags = CommonOptions & { readonly output?: string; readonly key?: string }

const report = () => import('../report/packs-report.ts')

/** Results go to stdout; notes, which `-q` leaves out, to stderr. */
export const show = async <T>(
  flags: CommonOptions,
  result: T,
  text: (result: T, color: boolean) => { readonly out: string; readonly notes?: string },
): Promise<void> => {
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
    return
  }
  const { out, notes = '' } = text(result, processHost(flags.C).color)
  if (!flags.quiet) process.stderr.write(notes)
  process.stdout.write(out)
}

/** The same of what can't but have gone well. */
const shown = async <T>(...args: Parameters<typeof show<T>>): Promise<number> => {
  await show<T>(...args)
  return 0
}

export const packFromCli = async (paths: readonly string[], flags: PackFlags): Promise<number> => {
  const host = processHost(flags.C)
  const own = existsSync(join(host.cwd, 'SKILL.md')) || !existsSync(join(host.cwd, 'skills')) ? '.' : 'skills'
  const { output, name, version, sign, suites = [], config } = flags
  if (suites.length > 0 && !flags.proof) throw new UsageError('no_proof', '--suites goes with --proof')
  const proof = flags.proof ? { suites, config } : undefined
  const packed = await packSkills(
    { paths: paths.length === 0 ? [own] : paths, output, name, version, sign, proof },
    host,
  )
  await show(flags, packed, (await report()).packedText)
  return 0
}

export const installFromCli = async (source: string, flags: InstallFlags): Promise<number> =>
  untilStopped(flags, 'nothing was installed', async (host) => {
    const options = { ...flags, source }
    // What hubs take is not loaded for a path or a URL.
    if (flags.hub !== undefined || !/^[^@]*[./\\:]/.test(source)) {
      const { isHubSource, installFromHub } = await import('../app/install-from-hub.ts')
      if (isHubSource(options, host))
        return shown(flags, await installFromHub(options, host), (await report()).hubInstalledText)
    }
    return shown(flags, await installSkills(options, host), (await report()).installedText)
  })

export const updateFromCli = async (names: readonly string[], flags: UpdateFlags): Promise<number> =>
  untilStopped(flags, 'nothing was updated', async (host) => {
    const { updateSkills } = await import('../app/update-skills.ts')
    return shown(flags, await updateSkills({ ...flags, names }, host), (await report()).updatedText)
  })

/** Until somebody interrupts it, which leaves everything as it was. */
const untilStopped = async (
  flags: CommonOptions,
  outcome: string,
  work: (host: ReturnType<typeof processHost>) => Promise<number>,
): Promise<number> => {
  const stop = new AbortController()
  const abort = (signal: NodeJS.Signals) => stop.abort(signal)
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  process.once('SIGHUP', abort)
  try {
    return await work(processHost(flags.C, stop.signal))
  } catch (error) {
    if (!stop.signal.aborted) throw error
    process.stderr.write(`interrupted: ${outcome}\n`)
    return interruptionCode(stop.signal.reason)
  } finally {
    process.off('SIGINT', abort)
    process.off('SIGTERM', abort)
    process.off('SIGHUP', abort)
  }
}

export const uninstallFromCli = async (name: string, flags: RootFlags): Promise<number> => {
  await show(flags, uninstallSkill({ ...flags, name }, processHost(flags.C)), (await report()).uninstalledText)
  return 0
}

export const verifyFromCli = async (what: string | undefined, flags: VerifyFlags): Promise<number> => {
  const verification = await verifySkills({ ...flags, what }, processHost(flags.C))
  await show(flags, verification, (await report()).verifiedText)
  return verificationExitCode(verification)
}

export const proveFromCli = async (what: string, flags: ProveFlags): Promise<number> =>
  untilStopped(flags, 'nothing was proved', async (host) => {
    const { proveSkill, provedExitCode } = await import('../app/prove-skill.ts')
    const beforeScripts = () => void (flags.quiet || process.stderr.write('note: this runs scripts of the pack\n'))
    const proved = await proveSkill({ ...flags, what, beforeScripts }, host)
    await show(flags, proved, (await import('../report/proof-report.ts')).provedText)
    return provedExitCode(proved)
  })

export const keygenFromCli = async (flags: KeyFlags): Promise<number> => {
  await show(flags, makeKey(flags.output, processHost(flags.C)), (await report()).keyText)
  return 0
}

export const signFromCli = async (pack: string, flags: KeyFlags): Promise<number> => {
  await show(flags, await signPack(pack, flags.key, flags.output, processHost(flags.C)), (await report()).signedText)
  return 0
}
