import { compareSemver, isInRange } from '../lib/semver-range.ts'
import type { HubPack, HubVersion } from '../schema/hub.ts'

/**
 * The highest version in a range. One that was taken back (yanked) counts only where whoever asks names it and no other; a
 * pre-release only where the range names one.
 */
export const pickVersion = (pack: HubPack, range: string, isNamed = false): HubVersion | undefined => {
  const isMeant = ({ version, yanked }: HubVersion) => isInRange(version, range) && (yanked === null || isNamed)
  return pack.versions.filter(isMeant).sort((a, b) => compareSemver(b.version, a.version))[0]
}

/** Why there is none, for a person: what there is instead. */
export const whyNoVersion = (pack: HubPack, range: string): string => {
  const inRange = pack.versions.filter(({ version }) => isInRange(version, range))
  if (inRange.length > 0) return `every version of ${pack.name} in ${range} was taken back`
  const there = pack.versions
    .slice(0, 5)
    .map(({ version, yanked }) => (yanked === null ? version : `${version} (yanked)`))
  return `no version of ${pack.name} is in ${range}; there is ${there.join(', ')}`
}

/** What whoever wants one can do where there is none. */
export const hintNoVersion = (pack: HubPack, range: string): string => {
  const taken = pickVersion(pack, range, true)
  return taken === undefined
    ? `Name a range that has one: ${pack.name}@RANGE.`
    : `Ask its makers why. To have it all the same, name it: ${pack.name}@${taken.version}.`
}

/** NAME or NAME@RANGE; undefined where a text is neither. A range is written as semver has it; `latest` is any. */
export const readPackRef = (text: string): { readonly name: string; readonly range: string } | undefined => {
  const match = /^(?<name>[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*)(?:@(?<range>.+))?$/u.exec(text.normalize('NFKC'))
  const { name, range = '*' } = match?.groups ?? {}
  return name === undefined || name.length > 64 ? undefined : { name, range: range === 'latest' ? '*' : range }
}
