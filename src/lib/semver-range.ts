import compareVersions from 'semver/functions/compare-build.js'
import parse from 'semver/functions/parse.js'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'

const maxRangeLength = 200

/** Whether a text is a range of versions (https://semver.org), as `^1.2.0`, `1.x`, `>=1 <3`; a version is one of itself. */
export const isVersionRange = (text: string): boolean => text.length <= maxRangeLength && validRange(text) !== null

/** Whether a text is a version that can be compared: its numbers are exact. */
export const isVersion = (text: string): boolean => parse(text) !== null

/** Whether a version is in a range. A pre-release is only in one that names a pre-release of the same version. */
export const isInRange = (version: string, range: string): boolean => satisfies(version, range)

/** Negative where `a` is the lower one. Total also over build metadata, so that an order is the same everywhere. */
export const compareSemver = (a: string, b: string): number => compareVersions(a, b)

/** Whether a range is one version and no other. */
export const isExactVersion = (range: string): boolean => parse(range) !== null
