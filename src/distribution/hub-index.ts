import { canonicalJson } from '../lib/hash.ts'
import { parseJson } from '../lib/json.ts'
import { compareSemver, isVersion, isVersionRange } from '../lib/semver-range.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy, firstFault } from '../lib/zod-issues.ts'
import { type HubIndex, hubIndexSchema } from '../schema/hub.ts'

export const hubIndexName = 'index.json'
export const hubSignatureName = 'index.sig'

export const hubLimits = { indexBytes: 16 * 1024 * 1024 } as const

/** The bytes of an index: sorted and indented, so that version control shows what changed; the only ones it has. */
export const hubIndexBytes = (index: HubIndex): Uint8Array =>
  Buffer.from(`${JSON.stringify(JSON.parse(canonicalJson(sorted(index))), null, 2)}\n`)

const sorted = (index: HubIndex): HubIndex => ({
  ...index,
  packs: byName(index.packs).map((pack) => ({
    ...pack,
    tags: [...new Set(pack.tags)].sort(),
    versions: [...pack.versions].sort((a, b) => compareSemver(b.version, a.version)),
  })),
  collections: byName(index.collections).map((one) => ({ ...one, packs: byName(one.packs) })),
})

const byName = <T extends { readonly name: string }>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => (a.name < b.name ? -1 : 1))

/** Reads what a stranger's server calls its index. */
export const readHubIndex = (bytes: Uint8Array): HubIndex | { readonly problem: string } => {
  const json = parseJson(Buffer.from(bytes).toString('utf8'), { maxBytes: hubLimits.indexBytes })
  if (!json.ok) return { problem: `it can't be read: ${json.message}` }
  const checked = checkedBy(hubIndexSchema, json.value)
  if (!checked.ok) return { problem: firstFault(checked.issues) }
  const problem = contentProblem(checked.data)
  return problem === undefined ? sorted(checked.data) : { problem }
}

/** What a schema can't say: nothing is there twice, and every version and range is one. */
const contentProblem = ({ packs, collections }: HubIndex): string | undefined => {
  const twin = twice([...packs, ...collections].map(({ name }) => name.normalize('NFKC').toLowerCase()))
  if (twin !== undefined) return `two of its packs or collections are called ${twin}`
  for (const { name, versions } of packs) {
    const bare = versions.map(({ version }) => version.replace(/\+.*$/, ''))
    const same = twice(bare)
    const files = versions.filter((_, i) => bare[i] === same).map(({ file }) => visibleLine(file, 200))
    if (same !== undefined) return `${name} has the version ${same} twice, in ${files.join(' and ')}`
    const odd = versions.find(({ version }) => !isVersion(version))
    if (odd !== undefined) return `${name} has a version that is none: ${odd.version}`
  }
  for (const collection of collections) {
    const same = twice(collection.packs.map(({ name }) => name))
    if (same !== undefined) return `${collection.name} names ${same} twice`
    const odd = collection.packs.find(({ range }) => !isVersionRange(range))
    if (odd !== undefined) return `${collection.name}: ${odd.range} is no range of versions`
  }
  return undefined
}

const twice = (names: readonly string[]): string | undefined => {
  const met = new Set<string>()
  return names.find((name) => met.size === met.add(name).size)
}
