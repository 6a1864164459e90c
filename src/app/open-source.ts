import { basename, resolve } from 'node:path'
import { httpClient } from '../adapters/net/http-client.ts'
import { UsageError } from '../core/errors.ts'
import type { HttpClient } from '../core/ports.ts'
import { packLimits } from '../distribution/limits.ts'
import { badPack } from './bad-pack.ts'
import { fetchPack } from './fetch-pack.ts'
import type { Host } from './host.ts'
import { findProject, shownPath } from './project.ts'

/** Where a pack comes from: the bytes of a zip, or a folder; `origin` is what the lock file keeps of it. */
export type PackSource =
  | { readonly kind: 'zip'; readonly bytes: Uint8Array; readonly origin: string }
  | { readonly kind: 'folder'; readonly dir: string; readonly origin: string }

/** Opens a zip, a folder or an http(s) URL. Throws a UsageError where there is nothing of the kind. */
export const openSource = async (source: string, host: Host, http: HttpClient = httpClient()): Promise<PackSource> => {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return { kind: 'zip', ...(await fetchPack(source, http, host.signal)) }
  if (source.trim() === '') throw new UsageError('no_source', 'the source is empty', { hint: hintOfSources })
  const path = resolve(host.cwd, source)
  const found = host.files.stat(path)
  if (found === undefined || found.kind === 'other') {
    throw new UsageError('no_source', `there is no pack ${source}`, {
      hint: hintOfSources,
    })
  }
  const origin = originOf(path, host)
  if (found.kind === 'dir') return { kind: 'folder', dir: host.files.realPath(path) ?? path, origin }
  if (found.size > packLimits.zipBytes) throw badPack(`it is larger than ${packLimits.zipBytes / 1024 / 1024} MiB`)
  return { kind: 'zip', bytes: host.files.readBytes(path, packLimits.zipBytes), origin }
}

const hintOfSources =
  'Give a zip, a folder or an http(s) URL; names are looked for in hubs: skills-eval skills hub add URL.'

/** Relative to the project; of what lies elsewhere only its name: where that is differs from machine to machine. */
const originOf = (path: string, host: Host): string => {
  const shown = shownPath(findProject(host.cwd, host.home, host.files), path)
  return shown === path ? basename(path) : shown
}
