import { UsageError } from '../core/errors.ts'
import { nearest } from '../lib/nearest.ts'
import type { ConfiguredHub } from '../schema/hub.ts'

/** The configured hubs in their order, each once. Throws a UsageError where one name means two hubs. */
export const distinctHubs = (hubs: readonly ConfiguredHub[]): readonly ConfiguredHub[] => {
  const byName = new Map<string, ConfiguredHub>()
  for (const hub of hubs) {
    const known = byName.get(hub.name)
    if (known !== undefined && (known.url !== hub.url || (hub.key !== undefined && known.key !== hub.key)))
      throw new UsageError('twin_hubs', `two hubs are called ${hub.name}: ${known.url} and ${hub.url}`, {
        hint: 'Give one of them another name in the configuration (packs.hubs).',
      })
    if (known === undefined) byName.set(hub.name, hub)
  }
  return [...byName.values()]
}

/** The hub of a name. Throws a UsageError that names those there are. */
export const hubNamed = (name: string, hubs: readonly ConfiguredHub[]): ConfiguredHub => {
  const found = hubs.find((hub) => hub.name === name)
  if (found !== undefined) return found
  const names = hubs.map((hub) => hub.name)
  const [close] = nearest(name, names)
  throw new UsageError('no_hub', `no hub is called ${name}`, {
    hint:
      names.length === 0
        ? 'Add one: skills-eval skills hub add URL.'
        : close === undefined
          ? `There is: ${names.join(', ')}.`
          : `Did you mean ${close}?`,
  })
}
