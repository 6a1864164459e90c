import { canonicalJson, sha256 } from '../lib/hash.ts'

/** 64 bits of SHA-256: texts are told apart, nobody is kept from making two alike. */
export const fingerprint = (text: string): string => sha256(withoutDigests(text)).slice(0, 16)

export const fingerprintOf = (value: unknown): string => fingerprint(canonicalJson(value))

/** The digest of a secret is made with a key that stays on one machine: a replay elsewhere can't make the same. */
const withoutDigests = (text: string): string => text.replaceAll(/(\[redacted:[a-z-]+):[\da-f]+\]/g, '$1]')
