import { canonicalJson, sha256 } from '../lib/hash.ts'

/** 64 bits of SHA-256: texts are told apart, nobody is kept from making two alike. */
export const fingerprint = (text: string): string => sha256(withoutDigests(text)).slice(0, 16)

export const fingerprintOf = (value: unknown): string => fingerprint(canonicalJson(value))

/**
 * The digest of a secret is made with a key that stays on one machine, and what it is known by (its shape, or a
 * variable that only one machine has) tells its kind: a replay elsewhere can make neither.
 */
const withoutDigests = (text: string): string => text.replaceAll(/\[redacted:[a-z-]+:[\da-f]+\]/g, '[redacted]')
