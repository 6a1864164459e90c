import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { sha256 } from './hash.ts'

/** A new private key as PEM (PKCS #8). */
export const newPrivateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** The public key of a private one, 32 bytes in base64; undefined where the PEM holds no Ed25519 key that can be read. */
export const publicKeyOf = (pem: string): string | undefined => {
  const key = privateKey(pem)
  const x = key && createPublicKey(key).export({ format: 'jwk' }).x
  return x === undefined ? undefined : Buffer.from(x, 'base64url').toString('base64')
}

/** The SHA-256 of a public key's bytes: what people compare. */
export const fingerprintOf = (publicKey: string): string => sha256(Buffer.from(publicKey, 'base64'))

/** Signs bytes (RFC 8032); base64. Throws where the PEM is no Ed25519 key. */
export const signBytes = (bytes: Uint8Array, pem: string): string =>
  sign(null, bytes, createPrivateKey(pem)).toString('base64')

/** Whether this key made that signature over these bytes; false also for what is no key or no signature. */
export const isSignedBy = (bytes: Uint8Array, signature: string, publicKey: string): boolean => {
  const x = Buffer.from(publicKey, 'base64').toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, bytes, key, Buffer.from(signature, 'base64'))
  } catch {
    // Not a point of the curve: nothing is signed by it.
    return false
  }
}

const privateKey = (pem: string): KeyObject | undefined => {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    // Encrypted, another kind of file, or no key at all: the caller says which file it was.
    return undefined
  }
}
