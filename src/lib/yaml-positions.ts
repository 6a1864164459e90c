import { isMap, isNode, isScalar, isSeq, type LineCounter, type Pair, type YAMLMap } from 'yaml'

/** A place in the text; both count from 1, columns in UTF-16 code units. */
export type YamlPosition = { readonly line: number; readonly column: number }

type Path = readonly (string | number)[]

export type YamlPositions = {
  /** Where the value at `path` starts; the nearest ancestor that exists when it does not. */
  at(path: Path): YamlPosition
  /** Where the key of the last segment starts; as `at` for a list's entry, and for what does not exist. */
  key(path: Path): YamlPosition
}

/** Finds where values and keys of a composed document stand. Nothing is computed before it is asked for. */
export const yamlPositions = (contents: unknown, lines: LineCounter): YamlPositions => {
  const pairsOf = pairIndex()

  const step = (
    node: unknown,
    segment: string | number,
  ): { readonly key?: unknown; readonly value: unknown } | undefined => {
    if (isMap(node)) {
      const pair = pairsOf(node).get(String(segment))
      return pair && { key: pair.key, value: pair.value ?? pair.key }
    }
    const item = isSeq(node) ? node.items[Number(segment)] : undefined
    return item === undefined ? undefined : { value: item }
  }

  const walk = (path: Path): { readonly node: unknown; readonly key: unknown } => {
    let node = contents
    let key: unknown
    for (const segment of path) {
      const next = step(node, segment)
      if (next === undefined) return { node, key: undefined }
      node = next.value
      key = next.key
    }
    return { node, key }
  }

  const position = (node: unknown): YamlPosition => {
    const { line, col } = lines.linePos((isNode(node) && node.range?.[0]) || 0)
    return { line, column: col }
  }

  return {
    at: (path) => position(walk(path).node),
    key: (path) => {
      const { node, key } = walk(path)
      return position(key ?? node)
    },
  }
}

// Looking a key up is a search through the map's entries: an index keeps many look-ups in one large map linear.
const pairIndex = (): ((map: YAMLMap) => ReadonlyMap<string, Pair>) => {
  const indexes = new Map<YAMLMap, ReadonlyMap<string, Pair>>()
  return (map) => {
    const held = indexes.get(map)
    if (held !== undefined) return held
    const index = new Map(map.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : '', pair] as const))
    indexes.set(map, index)
    return index
  }
}
