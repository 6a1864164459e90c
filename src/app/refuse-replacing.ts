import { UsageError } from '../core/errors.ts'
import type { TrustedKey } from '../distribution/signature.ts'
import { fingerprintOf } from '../lib/ed25519.ts'
import { compareSemver } from '../lib/semver-range.ts'
import type { ConfiguredHub } from '../schema/hub.ts'
import type { InstalledPack, Lock } from '../schema/pack.ts'
import { hubBase } from './open-hub.ts'

/** A version of a pack that would take the place of an installed one. */
export type NewVersion = {
  readonly name: string
  readonly version: string
  readonly digest: string
  /** The fingerprint of the key that signed it. */
  readonly signer: string | null
  /** The command names this version and no other: it may be an older one. */
  readonly isNamed: boolean
}

export const installedPackOf = (lock: Pick<Lock, 'packs' | 'skills'>, skill: string): InstalledPack | undefined => {
  const entry = Object.hasOwn(lock.skills, skill) ? lock.skills[skill] : undefined
  return entry && lock.packs[entry.pack]
}

/** Throws a UsageError where a skill would come from elsewhere than it did: `origin` is that of the new pack. */
export const refuseStranger = (
  skill: string,
  known: InstalledPack,
  pack: string,
  hub: ConfiguredHub | undefined,
  origin: string,
): void => {
  const isSameHub = known.hub === undefined ? hub === undefined : hub && hubBase(known.hub.url) === hubBase(hub.url)
  if (known.manifest.name === pack && isSameHub) return
  const from = known.hub === undefined ? known.origin : `the hub ${known.hub.name}`
  throw new UsageError(
    'other_origin',
    `${skill} is installed from ${known.manifest.name} of ${from}, and would be replaced by ${pack} of ${hub?.name ?? origin}`,
    { hint: 'Uninstall it first, or add --force.' },
  )
}

/** Throws where a version is another than was installed under its number, or older and not asked for. */
export const refuseOtherVersion = (known: InstalledPack, knownDigest: string, now: NewVersion): void => {
  const { name, version } = known.manifest
  if (version === now.version && knownDigest !== now.digest)
    throw new UsageError('hub_changed', `the hub has another ${name} ${version} than is installed`, {
      hint: 'A version does not change: ask its makers, and look at what is installed with `skills-eval skills verify`. --force takes it.',
    })
  if (now.isNamed || compareSemver(now.version, version) >= 0) return
  throw new UsageError('downgrade', `${name} ${version} is installed, and ${now.version} would be the older one`, {
    hint: `To go back, name the version: ${name}@${now.version}.`,
  })
}

/** Throws where what somebody signed would be replaced by what nobody did, or somebody whose key is not trusted here. */
export const refuseOtherSigner = (
  { manifest, signature }: InstalledPack,
  now: Pick<NewVersion, 'version' | 'signer'>,
  trusted: readonly TrustedKey[],
  options: { readonly acceptUnsigned?: boolean | undefined; readonly acceptUnknownKey?: boolean | undefined },
): void => {
  if (signature === null || signature.fingerprint === now.signer) return
  const change = `${manifest.name} ${manifest.version} is signed by ${signature.fingerprint.slice(0, 16)}, and ${now.version}`
  const hint = (flag: string) => ({ hint: `Ask its makers; if that is so, add ${flag}.` })
  if (now.signer === null) {
    if (options.acceptUnsigned) return
    throw new UsageError('other_signer', `${change} is not signed`, hint('--accept-unsigned'))
  }
  if (options.acceptUnknownKey || trusted.some(({ key }) => fingerprintOf(key) === now.signer)) return
  const by = `${change} by another key, ${now.signer.slice(0, 16)}`
  throw new UsageError('other_signer', by, hint('--accept-unknown-key'))
}
