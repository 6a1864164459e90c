import { join, resolve } from 'node:path'
import { modeOf, writeNewText } from '../adapters/files/output-file.ts'
import { UsageError } from '../core/errors.ts'
import { manifestBytes } from '../distribution/manifest.ts'
import { signatureOf } from '../distribution/signature.ts'
import { fingerprintOf, newPrivateKey, publicKeyOf } from '../lib/ed25519.ts'
import type { Manifest, Signature } from '../schema/pack.ts'
import type { Host } from './host.ts'

export type NewKey = { readonly file: string; readonly key: string; readonly fingerprint: string }

/** Where the key of somebody who has one lies. */
const usualKey = ({ home }: Host): string => join(home, '.agent', 'keys', 'signing.pem')

/** Writes a new private key that only its owner can read. Throws a UsageError where the file is there. */
export const makeKey = (path: string | undefined, host: Host): NewKey => {
  const file = path === undefined ? usualKey(host) : resolve(host.cwd, path)
  const pem = newPrivateKey()
  if (!writeNewText(file, pem, 0o600))
    throw new UsageError('key_exists', `${path ?? file} is there already, and may be a key that is needed`, {
      hint: 'It is never written over: sign with it, or make another one with -o FILE.',
    })
  const key = publicKeyOf(pem) ?? ''
  return { file, key, fingerprint: fingerprintOf(key) }
}

export const signWith = (path: string | undefined, manifest: Manifest, host: Host): Signature =>
  signBytesWith(path, manifestBytes(manifest), host)

/** Signs bytes with the key in a file, or the usual one. Throws a UsageError where it is none, or where others can read it. */
export const signBytesWith = (given: string | undefined, bytes: Uint8Array, host: Host): Signature => {
  const { path, file } = findKey(given, host)
  const pem = host.files.readText(file, 64 * 1024)
  if ((modeOf(file) & 0o077) !== 0)
    throw new UsageError('key_is_open', `others on this machine can read the private key in ${path}`, {
      hint: `Make it yours alone: chmod 600 ${path}`,
    })
  const signature = signatureOf(bytes, pem)
  if (signature === undefined)
    throw new UsageError('no_key', `${path} holds no Ed25519 private key without a passphrase`, {
      hint: 'Make one: skills-eval skills keygen.',
    })
  return signature
}

/** Where the private key is that is given, or the usual one. Throws a UsageError where there is none. */
export const findKey = (given: string | undefined, host: Host): { readonly path: string; readonly file: string } => {
  const path = given ?? usualKey(host)
  const file = resolve(host.cwd, path)
  const kind = host.files.stat(file)?.kind
  if (kind === undefined)
    throw new UsageError('no_key', `there is no private key ${path}`, {
      hint: `Make one: skills-eval skills keygen${given === undefined ? '' : ` -o ${given}`}.`,
    })
  if (kind === 'dir')
    throw new UsageError('no_key', `${path} was taken for the file of the private key, and is a folder`, {
      hint: 'The word behind --sign or --key is the key. For your usual key write --sign last, behind the paths.',
    })
  return { path, file }
}
