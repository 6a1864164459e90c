import { join, resolve } from 'node:path'
import { writeText } from '../adapters/files/output-file.ts'
import { httpClient } from '../adapters/net/http-client.ts'
import { FileError, SkillsEvalError } from '../core/errors.ts'
import type { HttpClient } from '../core/ports.ts'
import { hubIndexName, hubLimits, hubSignatureName, readHubIndex } from '../distribution/hub-index.ts'
import { packLimits } from '../distribution/limits.ts'
import { isSignatureOf, readSignature } from '../distribution/signature.ts'
import { fingerprintOf } from '../lib/ed25519.ts'
import { sha256 } from '../lib/hash.ts'
import { parseJson } from '../lib/json.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type ConfiguredHub, type HubIndex, type HubVersion, seenHubSchema } from '../schema/hub.ts'
import type { Signature } from '../schema/pack.ts'
import { badPack } from './bad-pack.ts'
import { type Fetched, fetchPack } from './fetch-pack.ts'
import type { Host } from './host.ts'
import { cacheFolder } from './load-config.ts'
import type { PackSource } from './open-source.ts'

export type OpenHub = {
  readonly hub: ConfiguredHub
  readonly index: HubIndex
  /** The key that signed the index; null where nobody did. */
  readonly key: string | null
  /** The digest of the index's bytes. */
  readonly digest: string
  /** Gets the zip of a version: the bytes that the index names, or an error. */
  zip(version: HubVersion): Promise<PackSource>
}

export type HubWorld = {
  readonly http?: HttpClient
  readonly timeoutMs?: number
  /** Read it as if it had never been seen, and keep nothing of it. */
  readonly isAnew?: boolean
}

/**
 * Reads a hub's index, held against the key that is configured for it and against what was seen of it before. Throws a
 * SkillsEvalError: `hub_failed`, `not_fetched`, `hub_unsigned`, `hub_rolled_back`.
 */
export const openHub = async (
  hub: ConfiguredHub,
  projectDir: string,
  host: Host,
  world: HubWorld = {},
): Promise<OpenHub> => {
  const place = hubPlace(hub.url, projectDir, host, world)
  const { bytes, signature } = await indexOf(hub, place)
  const index = readHubIndex(bytes)
  if ('problem' in index) throw hubError(hub, index.problem)
  if (place.isRemote && !world.isAnew) remember(hub, index.serial, sha256(bytes), host)
  return {
    hub,
    index,
    key: signature?.key ?? null,
    digest: sha256(bytes),
    zip: async (version) => {
      const source = await place.zip(version.file)
      if (sha256(source.bytes) === version.sha256 && source.bytes.length === version.size) return source
      throw badPack(
        `it is not what the index of the hub ${hub.name} says`,
        version.file,
        'The hub may have changed meanwhile: try again.',
      )
    },
  }
}

type Zip = Extract<PackSource, { kind: 'zip' }>

/** Where a hub's files are; `read` gives undefined for one that is not there. */
type HubPlace = {
  readonly isRemote: boolean
  read(name: string, maxBytes: number): Promise<Uint8Array | undefined>
  zip(file: string): Promise<Zip>
}

const hubPlace = (url: string, projectDir: string, host: Host, world: HubWorld): HubPlace =>
  isUrl(url) ? remotePlace(url, host, world) : folderPlace(resolve(projectDir, url), host)

const isUrl = (url: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(url)

const remotePlace = (url: string, host: Host, { http = httpClient(), timeoutMs }: HubWorld): HubPlace => {
  const fetched = (file: string, what?: Fetched) =>
    fetchPack(`${hubBase(url)}${file.split('/').map(encodeURIComponent).join('/')}`, http, host.signal, timeoutMs, what)
  return {
    isRemote: true,
    read: async (name, maxBytes) => {
      const tooLarge = () =>
        new SkillsEvalError('hub_failed', `${name} of ${hubBase(url)} is larger than ${maxBytes} bytes`)
      try {
        return (await fetched(name, { accept: 'application/json', maxBytes, tooLarge })).bytes
      } catch (error) {
        if (error instanceof SkillsEvalError && error.code === 'not_found') return undefined
        throw error
      }
    },
    zip: async (file) => ({ kind: 'zip', ...(await fetched(file)) }),
  }
}

/** What a hub is known by: its URL up to the folder of its index. */
export const hubBase = (url: string): string => {
  const bare = url.endsWith(`/${hubIndexName}`) ? url.slice(0, -hubIndexName.length) : url
  return bare.endsWith('/') ? bare : `${bare}/`
}

const folderPlace = (folder: string, { files }: Host): HubPlace => {
  const read = (name: string, maxBytes: number): Uint8Array | undefined => {
    const path = join(folder, name)
    if (files.stat(path) === undefined) return undefined
    const root = files.realPath(folder)
    // A folder that others fill may hold links: what is taken lies in it.
    if (root === undefined || !files.realPath(path)?.startsWith(`${root}/`))
      throw new SkillsEvalError('hub_failed', `${path} leads out of the hub`)
    return files.readBytes(path, maxBytes)
  }
  return {
    isRemote: false,
    read: async (name, maxBytes) => read(name, maxBytes),
    zip: async (file) => {
      const bytes = read(file, packLimits.zipBytes)
      if (bytes === undefined) throw new FileError('not_found', `the hub's ${join(folder, file)} is not there`)
      return { kind: 'zip', bytes, origin: file }
    },
  }
}

const hubError = (hub: ConfiguredHub, problem: string, code = 'hub_failed', hint?: string): SkillsEvalError =>
  new SkillsEvalError(
    code,
    `the index of the hub ${hub.name} (${hub.url}) is refused: ${problem}`,
    hint === undefined ? {} : { hint },
  )

type SignedIndex = { readonly bytes: Uint8Array; readonly signature: Signature | undefined }

const indexOf = async (hub: ConfiguredHub, place: HubPlace): Promise<SignedIndex> => {
  // A hub that is just being renewed has one file of before and one of after: asked again, both are the same.
  const first = await signedIndex(hub, place)
  const read = 'problem' in first ? await signedIndex(hub, place) : first
  if ('problem' in read) throw hubError(hub, read.problem, 'hub_unsigned')
  return read
}

const signedIndex = async (hub: ConfiguredHub, place: HubPlace): Promise<SignedIndex | { problem: string }> => {
  const bytes = await place.read(hubIndexName, hubLimits.indexBytes)
  if (bytes === undefined)
    throw hubError(
      hub,
      `there is no ${hubIndexName}`,
      'hub_failed',
      'Give the URL of the folder that it lies in. Whoever keeps the hub makes it: skills-eval skills hub build DIR.',
    )
  const text = await place.read(hubSignatureName, 64 * 1024)
  const signature = text === undefined ? undefined : readSignature(text)
  if (signature === undefined) {
    if (hub.key === undefined) return { bytes, signature }
    return { problem: 'it is not signed, and the configuration names the key that signs it' }
  }
  if ('problem' in signature) return { problem: signature.problem }
  if (!isSignatureOf(bytes, signature)) return { problem: 'its signature is not of it' }
  const isOther = hub.key !== undefined && fingerprintOf(hub.key) !== signature.fingerprint
  return isOther
    ? { problem: `it is signed by another key than the one in the configuration: ${signature.fingerprint}` }
    : { bytes, signature }
}

const seenFile = (url: string, host: Host): string => join(cacheFolder(host), 'hubs', `${sha256(hubBase(url))}.json`)

/** Refuses an index that is older than one that was seen before, or another of the same age; keeps what is new. */
const remember = (hub: ConfiguredHub, serial: number, digest: string, host: Host): void => {
  const file = seenFile(hub.url, host)
  const seen = seenBefore(file, host)
  const hint = `If its makers say that it was made anew, add it again: skills-eval skills hub add ${hub.url} --name ${hub.name}.`
  if (seen !== undefined && serial < seen.serial)
    throw hubError(hub, `it is number ${serial}, and number ${seen.serial} was seen before`, 'hub_rolled_back', hint)
  if (seen !== undefined && serial === seen.serial && digest !== seen.sha256)
    throw hubError(hub, `another index was seen before with its number, ${serial}`, 'hub_rolled_back', hint)
  if (seen !== undefined && serial === seen.serial) return
  keepSeen(file, serial, digest)
}

const keepSeen = (file: string, serial: number, digest: string): void => {
  try {
    writeText(file, `${JSON.stringify({ serial, sha256: digest })}\n`)
  } catch (error) {
    // Where nothing can be kept the lock file still holds what is installed.
    if (!(error instanceof SkillsEvalError)) throw error
  }
}

const seenBefore = (file: string, { files }: Host): { serial: number; sha256: string } | undefined => {
  if (files.stat(file) === undefined) return undefined
  const json = parseJson(files.readText(file, 4096))
  const checked = json.ok ? checkedBy(seenHubSchema, json.value) : undefined
  return checked?.ok ? checked.data : undefined
}

/** Takes an index for the newest of its hub, whatever was seen of it before. */
export const rememberAnew = ({ hub, index, digest }: OpenHub, host: Host): void => {
  if (isUrl(hub.url)) keepSeen(seenFile(hub.url, host), index.serial, digest)
}
