import { caseSchema, suiteSchema } from '../schema/suite.ts'
import { either } from './plain-words.ts'
import { keyHomes } from './schema-walk.ts'

/** Where a key of a suite belongs, as a sentence; undefined where it belongs nowhere else, or in too many places. */
export type HomeOf = (key: string) => string | undefined

/** For a key at the top of a suite. */
export const homeFromTop: HomeOf = (key) => {
  const places = homesInCase(key)
  if (places.includes('')) return `\`${key}\` belongs in a case, under \`cases\`, or in \`defaults\`.`
  return belongsUnder(places, key)
}

/** For a key somewhere in a case or in `defaults`. */
export const homeFromCase: HomeOf = (key) => {
  const places = homesInCase(key)
  if (places.includes('')) return `\`${key}\` belongs to the case itself.`
  const isTop = Object.hasOwn(suiteSchema.shape, key)
  return isTop ? `\`${key}\` belongs at the top of the suite.` : belongsUnder(places, key)
}

/** The paths below a case that know a key: `''` is the case, `expected.output` as deep as a person would look. */
const homesInCase = (key: string): readonly string[] => {
  known.homes ??= keyHomes(caseSchema)
  return (known.homes.get(key) ?? []).filter((path) => path.split('.').length <= 2)
}

// The same for every suite, and needed by none that is well written.
const known: { homes?: ReturnType<typeof keyHomes> } = {}

const belongsUnder = (places: readonly string[], key: string): string | undefined => {
  if (places.length === 0 || places.length > 2) return undefined
  return `\`${key}\` belongs under ${either(places.map((place) => `\`${place}\``))}.`
}
