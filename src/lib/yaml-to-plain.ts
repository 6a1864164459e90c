import { isAlias, isMap, isScalar, isSeq, type Pair, Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { setOwn } from './set-own.ts'
import { visibleLine } from './visible.ts'
import { MOST_YAML_DIAGNOSTICS, type YamlProblem } from './yaml-problems.ts'

export type PlainYaml = { readonly value: unknown; readonly problems: readonly YamlProblem[] }

/**
 * Turns composed YAML nodes into plain data, and finds what the composer was not asked to look for: duplicate keys
 * (in linear time), anchors and aliases, keys that are no words. `maxKeys` bounds the entries of all maps together.
 */
export const yamlToPlain = (contents: unknown, maxKeys: number): PlainYaml => {
  const problems: YamlProblem[] = []
  let keys = 0

  const report = (fault: YamlProblem['fault'], node: unknown, detail: string): void => {
    if (problems.length < MOST_YAML_DIAGNOSTICS) problems.push({ fault, offset: offsetOf(node), detail })
  }

  const plain = (node: unknown): unknown => {
    if (isScalar(node)) {
      refuseAnchor(node)
      return node.value
    }
    if (isMap(node)) return plainMap(node)
    if (isSeq(node)) return plainSeq(node)
    if (isAlias(node)) report('alias', node, `alias *${short(node.source)}`)
    return null
  }

  const plainSeq = (seq: YAMLSeq): unknown[] => {
    refuseAnchor(seq)
    return seq.items.map((item) => plain(item))
  }

  const plainMap = (map: YAMLMap): Record<string, unknown> => {
    refuseAnchor(map)
    const out: Record<string, unknown> = {}
    for (const pair of map.items) {
      keys += 1
      if (keys > maxKeys) {
        if (keys === maxKeys + 1) report('too-many-keys', pair.key, `more than ${maxKeys} keys`)
        return out
      }
      const key = keyOf(pair)
      const value = plain(pair.value)
      if (key === undefined) continue
      if (Object.hasOwn(out, key)) report('duplicate-key', pair.key, `duplicate key "${short(key)}"`)
      else setOwn(out, key, value)
    }
    return out
  }

  const keyOf = ({ key }: Pair): string | undefined => {
    if (!isScalar(key)) return undefined // The composer has said so: with `stringKeys` it is an error.
    refuseAnchor(key)
    if (isEmptyScalar(key)) report('empty-key', key, 'there is no key before the colon')
    return String(key.value)
  }

  const refuseAnchor = (node: Scalar | YAMLMap | YAMLSeq): void => {
    if (node.anchor !== undefined) report('alias', node, `anchor &${short(node.anchor)}`)
  }

  const value = plain(contents)
  return { value: isEmptyScalar(contents) ? null : value, problems }
}

const isEmptyScalar = (node: unknown): boolean => isScalar(node) && node.value === '' && node.type === Scalar.PLAIN

const short = (text: string): string => visibleLine(text, 60)

const offsetOf = (node: unknown): number => {
  const isNode = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)
  return isNode ? (node.range?.[0] ?? 0) : 0
}
