import { join, relative, resolve } from 'node:path'
import { writeNewText } from '../adapters/files/output-file.ts'
import { replaceText } from '../adapters/files/replace-text.ts'
import { UsageError } from '../core/errors.ts'
import { fingerprintOf } from '../lib/ed25519.ts'
import { parseJson } from '../lib/json.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type ConfiguredHub, configuredHubSchema } from '../schema/hub.ts'
import type { Host } from './host.ts'
import { type HubWorld, openHub, rememberAnew } from './open-hub.ts'
import { configFileIn } from './project.ts'
import { skillTarget, type TargetOptions } from './skill-target.ts'

export type AddHubOptions = Pick<TargetOptions, 'config' | 'user'> & {
  readonly url: string
  /** What it is called here; without it what it calls itself. */
  readonly name?: string | undefined
  readonly key?: string | undefined
}

export type AddedHub = {
  readonly name: string
  readonly url: string
  /** The configuration file that has it now. */
  readonly file: string
  readonly added: boolean
  readonly packs: number
  /** The fingerprint of the key that its index has to be signed with from now on. */
  readonly key: string | null
}

/**
 * Reads a hub once and puts it last among those of the configuration, with the key that signs its index. Added again, it is
 * read as if it had never been seen.
 */
export const addHub = async (options: AddHubOptions, host: Host, world: HubWorld = {}): Promise<AddedHub> => {
  const { project, hubs } = skillTarget({ config: options.config, user: options.user }, host)
  const url = writtenUrl(options, project.dir, host)
  const base: ConfiguredHub = checkedHub({
    name: options.name ?? 'new-hub',
    url,
    ...(options.key === undefined ? {} : { key: options.key }),
  })
  const ofUrl = hubs.filter((hub) => hub.url === url)
  const known = ofUrl.find(({ name }) => name === options.name) ?? ofUrl[0]
  // Only what this command names may lower what is asked of a hub.
  const asked = known?.key !== undefined && options.key === undefined ? { ...base, key: known.key } : base
  const opened = await openHub(asked, project.dir, host, { ...world, isAnew: true })
  const { index, key } = opened
  const hub = checkedHub({
    ...asked,
    name: options.name ?? known?.name ?? index.name,
    ...(key === null ? {} : { key }),
  })
  const file = configFile(options, project.dir, host)
  const shown = { name: hub.name, url, file, packs: index.packs.length, key: hub.key ? fingerprintOf(hub.key) : null }
  // Only now: one that is refused must not lower what is asked of the next.
  if (known !== undefined && known.name === hub.name && known.key === hub.key) {
    rememberAnew(opened, host)
    return { ...shown, added: false }
  }
  if (known !== undefined || hubs.some(({ name }) => name === hub.name))
    throw new UsageError('twin_hubs', `the configuration has a hub ${known?.name ?? hub.name} already`, {
      hint: `Change it by hand (packs.hubs), or give this one another name with --name.`,
    })
  writeHub(file, hub, host)
  rememberAnew(opened, host)
  return { ...shown, added: true }
}

/** A folder as it is written down: of a project relative to it, of a user whole. */
const writtenUrl = ({ url, user }: AddHubOptions, projectDir: string, host: Host): string => {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(url)) {
    if (URL.canParse(url) && new URL(url).search + new URL(url).hash === '') return url
    throw new UsageError('bad_url', 'a hub is a URL without query and fragment')
  }
  const folder = resolve(host.cwd, url)
  if (host.files.stat(folder)?.kind !== 'dir') throw new UsageError('no_hub', `there is no folder ${url}`)
  const real = host.files.realPath(folder) ?? folder
  const inside = relative(projectDir, real)
  return user || inside.startsWith('..') || inside === '' ? real : `./${inside.split('\\').join('/')}`
}

const checkedHub = (hub: ConfiguredHub): ConfiguredHub => {
  const checked = checkedBy(configuredHubSchema, hub)
  if (checked.ok) return checked.data
  const [issue] = checked.issues
  throw new UsageError('bad_hub', `the hub's ${issue?.path.join('.')} ${issue?.message}`)
}

const configFile = ({ config, user }: AddHubOptions, projectDir: string, host: Host): string => {
  if (config !== undefined && !user) return resolve(host.cwd, config)
  const dir = user ? host.home : projectDir
  return configFileIn(dir, host.files) ?? join(dir, '.agent/config.json')
}

const writeHub = (file: string, hub: ConfiguredHub, { files }: Host): void => {
  const entry = JSON.stringify(hub)
  const byHand = (why: string) =>
    new UsageError('config_by_hand', `${file} ${why}, so the hub has to be added by hand`, {
      hint: `Add it to packs.hubs: ${entry}`,
    })
  if (files.stat(file) === undefined) {
    if (!writeNewText(file, `${JSON.stringify({ packs: { hubs: [hub] } }, null, 2)}\n`)) throw byHand('is there')
    return
  }
  const text = files.readText(file, 1024 * 1024)
  const json = file.endsWith('.json') ? parseJson(text) : undefined
  const config = json?.ok ? json.value : undefined
  if (!isMap(config)) throw byHand('is not JSON')
  const packs = isMap(config.packs) ? config.packs : {}
  const hubs = Array.isArray(packs.hubs) ? packs.hubs : []
  const changed = { ...config, packs: { ...packs, hubs: [...hubs, hub] } }
  replaceText(file, text, `${JSON.stringify(changed, null, 2)}\n`)
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
