import { buildHub } from '../app/build-hub.ts'
import { addHub } from '../app/hub-config.ts'
import { type HubTier, listHubs, searchHubs } from '../app/search-hubs.ts'
import { UsageError } from '../core/errors.ts'
import { addedHubText, builtHubText, hubListText, hubSearchText } from '../report/hub-report.ts'
import type { CommonOptions } from './common-options.ts'
import { show } from './packs-from-cli.ts'
import { processHost } from './process-host.ts'

export type HubFlags = CommonOptions & { readonly user?: boolean }
export type HubBuildFlags = CommonOptions & { readonly sign?: string }
export type HubAddFlags = HubFlags & { readonly name?: string; readonly key?: string }
export type HubSearchFlags = HubFlags & { readonly tier?: HubTier; readonly limit: string }

export const buildHubFromCli = async (dir: string, flags: HubBuildFlags): Promise<number> => {
  await show(flags, await buildHub({ dir, sign: flags.sign }, processHost(flags.C)), builtHubText)
  return 0
}

export const addHubFromCli = async (url: string, flags: HubAddFlags): Promise<number> => {
  await show(flags, await addHub({ ...flags, url }, processHost(flags.C)), addedHubText)
  return 0
}

export const listHubsFromCli = async (flags: HubFlags): Promise<number> => {
  await show(flags, { hubs: await listHubs(flags, processHost(flags.C)) }, hubListText)
  return 0
}

/** 1 where nothing was found. */
export const searchHubsFromCli = async (query: readonly string[], flags: HubSearchFlags): Promise<number> => {
  const limit = Number(flags.limit)
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('bad_limit', '--limit must be a number from 1 on')
  const found = await searchHubs(query.join(' '), { ...flags, limit }, processHost(flags.C))
  await show(flags, found, hubSearchText)
  return found.hits.length === 0 ? 1 : 0
}
