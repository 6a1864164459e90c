import { boundedCache } from '../lib/bounded-cache.ts'
import { keyedDigest } from '../lib/hash.ts'
import { setOwn } from '../lib/set-own.ts'
import { BASE64_RUN, decodedTexts, ESCAPED_RUN, unescaped, writtenForms } from './secret-encodings.ts'
import { hasSecretName, isSecretField, isWorthHiding } from './secret-names.ts'
import { maybeSecret, type SecretKind, secretKinds, secretShapes } from './secret-shapes.ts'

export type RedactorOptions = {
  /** Known secrets: the values of configured keys. */
  readonly values?: readonly string[]
  /** Of it, the values whose names look secret. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Makes the digests: whoever has it can confirm a guess, and nobody else. The same key, the same placeholders. */
  readonly key: string
}

export type Redactor = {
  /** The text with every secret replaced by `[redacted:<kind>:<digest>]`. Doing it twice changes nothing. */
  redact(text: string): string
  /**
   * The same for every string in a JSON value, keys too; what a header or field of a secret name holds goes whole. A
   * value without secrets is handed back as it is, not copied.
   */
  redactValue<T>(value: T): T
  /** Whether a known value is readable in a text, plain or encoded. */
  leaks(text: string): boolean
}

/**
 * Takes out the known values first, then what looks like a secret, then pieces that say one once they are decoded.
 * The time is linear in the text.
 */
export const redactor = (options: RedactorOptions): Redactor => {
  const digests = new Map<string, string>()
  const placeholder = (kind: SecretKind, secret: string): string => {
    const known = `${kind}:${secret}`
    const digest = digests.get(known) ?? keyedDigest(options.key, secret).slice(0, DIGEST_LENGTH)
    if (digests.size < 10_000) digests.set(known, digest)
    return `[redacted:${kind}:${digest}]`
  }
  const known = knownForms(options, placeholder)

  const withoutKnown = (text: string): string =>
    known.reduce((rest, { form, stands }) => (rest.includes(form) ? rest.replaceAll(form, () => stands) : rest), text)

  const withoutShapes = (text: string): string =>
    secretShapes.reduce(
      (rest, { kind, pattern }) =>
        outsideOf(rest, (piece) =>
          piece.replace(pattern, (all: string, ...found) => {
            const keep = keptOf(found)
            return `${keep}${placeholder(kind, all.slice(keep.length))}`
          }),
        ),
      text,
    )

  const plain = (text: string): string =>
    outsideOf(outsideOf(text, withoutKnown), (piece) => (maybeSecret.test(piece) ? withoutShapes(piece) : piece))
  const isSecret = (text: string): boolean => plain(text) !== text

  const withoutEncoded = (text: string): string => {
    const unescapedOnce = !/[%\\]/.test(text)
      ? text
      : text.replace(ESCAPED_RUN, (run) => {
          if (!run.includes('%') && !run.includes('\\')) return run
          const said = unescaped(run)
          return said !== run && isSecret(said) ? placeholder('encoded', run) : run
        })
    return outsideOf(unescapedOnce, (piece) =>
      piece.replace(BASE64_RUN, (run) => (decodedTexts(run).some(isSecret) ? placeholder('encoded', run) : run)),
    )
  }

  // Names, statuses, rules and the bodies of skills are the same in trial after trial.
  const short = new Map<string, string>()
  const long = boundedCache<string, string>(HELD_LONG)
  const redact = (text: string): string => {
    if (text.length > LONG) return redactNow(text)
    if (text.length > SHORT) return long.get(text, () => redactNow(text))
    const known = short.get(text)
    if (known !== undefined) return known
    const made = redactNow(text)
    if (short.size < 2_000) short.set(text, made)
    return made
  }

  const fields = new Map<string, SecretKind | false>()
  const fieldOf = (key: string): SecretKind | undefined => {
    const known = fields.get(key)
    if (known !== undefined) return known || undefined
    const made = isSecretField(key)
    if (fields.size < 2_000) fields.set(key, made ?? false)
    return made
  }

  const redactNow = (text: string): string => {
    // What stood beside a secret may be one on its own, now that it stands alone.
    let now = text
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const next = outsideOf(plain(now), withoutEncoded)
      if (next === now) break
      now = next
    }
    return now
  }

  const redactValue = (value: unknown, depth: number, field?: SecretKind): unknown => {
    if (typeof value === 'string') return field === undefined ? redact(value) : hidden(value, field)
    if (typeof value !== 'object' || value === null) return value
    if (depth > MAX_DEPTH) return '…'
    return Array.isArray(value)
      ? sameOr(value, (item) => redactValue(item, depth + 1, field))
      : redactMembers(value as Record<string, unknown>, depth, field)
  }

  // Most objects hold no secret: a copy is begun at the first member that changes.
  const redactMembers = (value: Readonly<Record<string, unknown>>, depth: number, field?: SecretKind): unknown => {
    let shown: Record<string, unknown> | undefined
    for (const key of Object.keys(value)) {
      const member = redactValue(value[key], depth + 1, field ?? fieldOf(key))
      let name = redact(key)
      if (shown === undefined && name === key && member === value[key]) continue
      shown ??= membersBefore(key, value)
      while (Object.hasOwn(shown, name)) name = `${name}+`
      setOwn(shown, name, member)
    }
    return shown ?? value
  }

  const hidden = (value: string, field: SecretKind): string => {
    const inside = redact(value)
    if (ONLY_PLACEHOLDER.test(inside) || (field === 'field' && !isWorthHiding(value)) || value === '') return inside
    return placeholder(field, value)
  }

  return {
    redact,
    redactValue: <T>(value: T) => redactValue(value, 0) as T,
    leaks: (text) => {
      let isFound = false
      outsideOf(text, (piece) => {
        isFound ||= known.some(({ form }) => piece.includes(form))
        return piece
      })
      return isFound
    },
  }
}

// 24 bits: enough to tell secrets apart, too few to be sure of a guess.
const DIGEST_LENGTH = 6
const MAX_ROUNDS = 8
const SHORT = 60
const LONG = 16_000
const HELD_LONG = 100
const MAX_DEPTH = 200

const PLACEHOLDER = new RegExp(`(\\[redacted:(?:${secretKinds.join('|')}):[\\da-f]{${DIGEST_LENGTH}}\\])`)
const ONLY_PLACEHOLDER = new RegExp(`^${PLACEHOLDER.source}$`)

/** Changes what stands between placeholders; these stay as they are. */
const outsideOf = (text: string, change: (piece: string) => string): string =>
  text.includes('[redacted:')
    ? text
        .split(PLACEHOLDER)
        .map((piece, i) => (i % 2 === 1 ? piece : change(piece)))
        .join('')
    : change(text)

/** The array itself where `change` changes nothing. */
const sameOr = (items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] => {
  const changed = items.map(change)
  return changed.some((item, i) => item !== items[i]) ? changed : items
}

const membersBefore = (end: string, value: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const members: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (key === end) break
    setOwn(members, key, value[key])
  }
  return members
}

/** `replace` hands over the groups by name last, where the pattern has some. */
const keptOf = (found: readonly unknown[]): string => {
  const groups = found.at(-1)
  return typeof groups === 'object' && groups !== null && 'keep' in groups && typeof groups.keep === 'string'
    ? groups.keep
    : ''
}

/** Longest first: a value may contain another. */
const knownForms = (
  { values = [], env = {} }: RedactorOptions,
  placeholder: (kind: SecretKind, secret: string) => string,
): readonly { readonly form: string; readonly stands: string }[] => {
  const secrets = new Map<string, SecretKind>()
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !hasSecretName(name)) continue
    for (const part of [value, value.trim()]) if (isWorthHiding(part)) secrets.set(part, 'env')
  }
  for (const value of values) if (value.trim().length >= 4) secrets.set(value.trim(), 'value')
  const forms = [...secrets].flatMap(([secret, kind]) => {
    const stands = placeholder(kind, secret)
    return writtenForms(secret).map((form) => ({ form, stands }))
  })
  return forms.sort((a, b) => b.form.length - a.form.length)
}
