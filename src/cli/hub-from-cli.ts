import { buildHub } from '../app/build-hub.ts'
import { addHub } from '../app/hub-config.ts'
import { type HubTier, listHubs, searchHubs } from '../app/search-hubs.ts'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import { addedHubText, builtHubText, hubListText, hubSearchText } from '../report/hub-report.ts'
import type { CommonOptions } from './common-options.ts'
import { show } from './packs-from-cli.ts'
import { processHost } from './process-host.ts'

export type HubFlags = CommonOptions & { readonly user?: boolean }
export type HubBuildFlags = CommonOptions & { readonly sign?: string; readonly unsigned?: boolean }
export type HubAddFlags = HubFlags & { readonly name?: string; readonly key?: string }
export type HubSearchFlags = HubFlags & { readonly tier?: HubTier; readonly limit: string }

export const buildHubFromCli = async (dir: string, flags: HubBuildFlags): Promise<number> => {
  await show(
    flags,
    await buildHub({ dir, sign: flags.sign, unsigned: flags.unsigned }, processHost(flags.C)),
    builtHubText,
  )
  return 0
}

export const addHubFromCli = async (url: string, flags: HubAddFlags): Promise<number> => {
  await show(flags, await addHub({ ...flags, url }, processHost(flags.C)), addedHubText)
  return 0
}

/** 2 where a hub can't be used. */
export const listHubsFromCli = async (flags: HubFlags): Promise<number> => {
  const hubs = await listHubs(flags, processHost(flags.C))
  await show(flags, { hubs }, hubListText)
  return hubs.some(({ problem }) => problem !== undefined) ? 2 : 0
}

/** 1 where nothing was found. */
export const searchHubsFromCli = async (query: readonly string[], flags: HubSearchFlags): Promise<number> => {
  const limit = Number(flags.limit)
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('bad_limit', '--limit must be a number from 1 on')
  const found = await searchHubs(query.join(' '), { ...flags, limit }, processHost(flags.C))
  // Where a hub could not be asked, nobody knows that there is nothing.
  if (found.hits.length === 0 && found.problems.length > 0 && !flags.json)
    throw new SkillsEvalError(
      'hub_failed',
      `nothing was found, and not all could be asked: ${found.problems.join('; ')}`,
    )
  await show(flags, found, hubSearchText)
  if (found.hits.length > 0) return 0
  return found.problems.length > 0 ? 2 : 1
}
