import { isAlias, isMap, isScalar, isSeq, type Pair, Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { setOwn } from './set-own.ts'
import { visibleLine } from './visible.ts'
import type { YamlProblem } from './yaml-problems.ts'

export type PlainYaml = { readonly value: unknown; readonly problems: readonly YamlProblem[] }

/**
 * Turns composed YAML nodes into plain data, and finds what the composer was not asked to look for: duplicate keys
 * (in linear time), anchors and aliases, keys that are no words. `maxKeys` bounds the entries of all maps together.
 */
export const yamlToPlain = (contents: unknown, maxKeys: number): PlainYaml => {
  const problems: YamlProblem[] = []
  let keys = 0

  const plain = (node: unknown): unknown => {
    if (isScalar(node)) {
      if (node.anchor !== undefined) refuseAnchor(node.anchor, node)
      return node.value
    }
    if (isMap(node)) return plainMap(node)
    if (isSeq(node)) return plainSeq(node)
    if (isAlias(node)) problems.push({ fault: 'alias', offset: offsetOf(node), detail: `alias *${short(node.source)}` })
    return null
  }

  const plainSeq = (seq: YAMLSeq): unknown[] => {
    if (seq.anchor !== undefined) refuseAnchor(seq.anchor, seq)
    return seq.items.map((item) => plain(item))
  }

  const plainMap = (map: YAMLMap): Record<string, unknown> => {
    if (map.anchor !== undefined) refuseAnchor(map.anchor, map)
    const out: Record<string, unknown> = {}
    for (const pair of map.items) {
      keys += 1
      if (keys > maxKeys) {
        if (keys === maxKeys + 1) tooManyKeys(pair)
        return out
      }
      const key = keyOf(pair)
      const value = plain(pair.value)
      if (key === undefined) continue
      if (Object.hasOwn(out, key)) duplicate(key, pair)
      else setOwn(out, key, value)
    }
    return out
  }

  const keyOf = ({ key }: Pair): string | undefined => {
    if (!isScalar(key)) return undefined // The composer has said so: with `stringKeys` it is an error.
    if (key.anchor !== undefined) refuseAnchor(key.anchor, key)
    if (key.value === '' && key.type === Scalar.PLAIN) {
      problems.push({ fault: 'empty-key', offset: offsetOf(key), detail: 'there is no key before the colon' })
    }
    return String(key.value)
  }

  const refuseAnchor = (name: string, node: unknown): void => {
    problems.push({ fault: 'alias', offset: offsetOf(node), detail: `anchor &${short(name)}` })
  }

  const duplicate = (key: string, { key: node }: Pair): void => {
    problems.push({ fault: 'duplicate-key', offset: offsetOf(node), detail: `duplicate key "${short(key)}"` })
  }

  const tooManyKeys = ({ key }: Pair): void => {
    problems.push({ fault: 'too-many-keys', offset: offsetOf(key), detail: `more than ${maxKeys} keys` })
  }

  const value = plain(contents)
  return { value, problems }
}

const short = (text: string): string => visibleLine(text, 60)

const offsetOf = (node: unknown): number => {
  const isNode = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)
  return isNode ? (node.range?.[0] ?? 0) : 0
}
