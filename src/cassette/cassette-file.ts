import { sha256 } from '../lib/hash.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type Cassette, type CassetteAnswer, type CassetteTrial, cassetteSchema } from '../schema/cassette.ts'

export type CassetteName = {
  readonly suite: string
  readonly case: string
  readonly profile: string
  /** The other arm of a run, as `armName` writes it; undefined: the run itself. */
  readonly arm?: string | undefined
}

/**
 * `<suite>/<case-id>/<profile>.json` below the folder of the recordings, `<profile>@<arm>.json` of another arm; the slashes
 * of a case's id make folders.
 */
export const cassettePath = ({ suite, case: id, profile, arm }: CassetteName): string =>
  [segment(suite), ...id.split('/').map(folder), `${[profile, ...armParts(arm)].map(segment).join('@')}.json`].join('/')

/** No name has an `@` in its part of a path: what stands between them is read back the same way. */
const armParts = (arm: string | undefined): readonly string[] => {
  if (arm === undefined) return []
  const at = arm.indexOf(':')
  return at === -1 ? [arm] : [arm.slice(0, at), arm.slice(at + 1)]
}

// A folder `b.json` could not lie beside the file of a profile `b`.
const folder = (name: string): string => segment(name).replace(/\.json$/i, (end) => `%2E${end.slice(1)}`)

/** A name as one part of a path on any system. Two names never become one, but where a disk takes their case for one. */
const segment = (name: string): string => {
  const plain = name
    .toWellFormed()
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, percentEncoded)
    // Dots at the start hide or lead up, blanks and dots at the end are lost on some systems.
    .replaceAll(/^[. ]+|[. ]+$/g, (run) => [...run].map(percentEncoded).join(''))
  const safe = plain === '' ? '%' : /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain) ? `${plain}%` : plain
  if (Buffer.byteLength(safe) <= MAX_BYTES) return safe
  return `${[...safe].slice(0, 40).join('')}%${sha256(name).slice(0, 12)}`
}

const MAX_BYTES = 120

const percentEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')

export type ReadCassette = { readonly cassette: Cassette } | { readonly problem: string }

/** Reads a cassette as somebody else's: `problem` says why it is none, or not that of `name`. */
export const readCassette = (text: string, name?: CassetteName): ReadCassette => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'it is not JSON' }
  }
  const checked = checkedBy(cassetteSchema, value)
  if (!checked.ok) {
    const [issue] = checked.issues
    const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.map(String).join('.')}`
    return { problem: `it is no skills-eval/cassette@1${where}` }
  }
  const { suite, case: id, profile, arm } = checked.data
  if (name && (suite !== name.suite || id !== name.case || profile !== name.profile || arm !== name.arm)) {
    return { problem: `it is the recording of ${suite}/${id} on ${profile}${arm === undefined ? '' : ` ${arm}`}` }
  }
  return { cassette: checked.data }
}

/** The same bytes for the same content; the order of the keys is that of the schema where `readCassette` gave it. */
export const cassetteText = (cassette: Cassette): string => `${JSON.stringify(cassette, null, 2)}\n`

/** The old one with the new date where nothing but times differs: what was recorded again was not news. */
export const withoutNoise = (fresh: Cassette, old: Cassette | undefined): Cassette =>
  old && JSON.stringify(timeless(fresh)) === JSON.stringify(timeless(old))
    ? { ...old, recorded: fresh.recorded }
    : fresh

const timeless = (cassette: Cassette): Cassette => ({
  ...cassette,
  recorded: '',
  trials: cassette.trials.map((trial) => ({
    ...trial,
    turns: trial.turns.map(timelessAnswer),
    ...(trial.judge === undefined ? {} : { judge: trial.judge.map(timelessAnswer) }),
  })),
})

const timelessAnswer = <T extends { readonly answer: CassetteAnswer }>(one: T): T => ({
  ...one,
  answer: { ...one.answer, latency_ms: 0 },
})

/** Every fingerprint that the trials speak of. */
export const fingerprintsOf = (trials: readonly CassetteTrial[]): ReadonlySet<string> =>
  new Set(
    trials.flatMap(({ turns, judge = [] }) => [...turns, ...judge].flatMap(({ request }) => Object.values(request))),
  )
