import { fingerprintOf, isSignedBy, publicKeyOf, signBytes } from '../lib/ed25519.ts'
import { canonicalJson } from '../lib/hash.ts'
import { parseJson } from '../lib/json.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type Manifest, type Signature, signatureSchema } from '../schema/pack.ts'
import { manifestBytes } from './manifest.ts'

export type TrustedKey = { readonly name: string; readonly key: string }

/** Who made a pack, as far as its signature tells: `bad` is one that is not of this manifest. */
export type Signer =
  | { readonly status: 'trusted'; readonly name: string; readonly fingerprint: string }
  | { readonly status: 'unknown'; readonly fingerprint: string }
  | { readonly status: 'unsigned' }
  | { readonly status: 'bad'; readonly problem: string }

/** Signs bytes with a private key as PEM; undefined where that is no Ed25519 key. */
export const signatureOf = (bytes: Uint8Array, pem: string): Signature | undefined => {
  const key = publicKeyOf(pem)
  if (key === undefined) return undefined
  return {
    format: 'skills-eval/signature@1',
    algorithm: 'ed25519',
    key,
    fingerprint: fingerprintOf(key),
    signature: signBytes(bytes, pem),
  }
}

export const signatureBytes = (signature: Signature): Uint8Array => Buffer.from(`${canonicalJson(signature)}\n`)

export const readSignature = (bytes: Uint8Array): Signature | { readonly problem: string } => {
  const json = parseJson(Buffer.from(bytes).toString('utf8'), { maxBytes: 64 * 1024 })
  const checked = json.ok ? checkedBy(signatureSchema, json.value) : undefined
  if (!checked?.ok) return { problem: "it can't be read as a signature" }
  const isCanonical = Buffer.from(signatureBytes(checked.data)).equals(bytes)
  return isCanonical ? checked.data : { problem: 'it is not written in its canonical form' }
}

/** Whether a signature is of these bytes, by the key that it names. */
export const isSignatureOf = (bytes: Uint8Array, { key, fingerprint, signature }: Signature): boolean =>
  fingerprintOf(key) === fingerprint && isSignedBy(bytes, signature, key)

/** Whose signature it is. A key is known by its bytes: what the signature calls it is only checked. */
export const signerOf = (manifest: Manifest, signature: Signature | null, trusted: readonly TrustedKey[]): Signer => {
  if (signature === null) return { status: 'unsigned' }
  const fingerprint = fingerprintOf(signature.key)
  if (fingerprint !== signature.fingerprint) return { status: 'bad', problem: 'its fingerprint is that of another key' }
  if (!isSignedBy(manifestBytes(manifest), signature.signature, signature.key))
    return { status: 'bad', problem: 'the signature is not of this manifest' }
  const known = trusted.find(({ key }) => fingerprintOf(key) === fingerprint)
  return known ? { status: 'trusted', name: known.name, fingerprint } : { status: 'unknown', fingerprint }
}
