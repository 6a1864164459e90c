import type { Diagnostic } from '../core/diagnostic.ts'
import { visibleLine } from '../lib/visible.ts'
import { parseYaml, type YamlResult } from '../lib/yaml.ts'
import type { YamlPositions } from '../lib/yaml-positions.ts'
import type { SkillLog } from './diagnose.ts'
import { readSimpleYaml, simpleKeyLine } from './read-simple-yaml.ts'
import { repairFrontmatter } from './repair-frontmatter.ts'
import { skillRule } from './rules.ts'

export const frontmatterLimits = { maxBytes: 64 * 1024, maxDepth: 64, maxNodes: 1000 } as const

export type FrontmatterFields = {
  /** Every scalar is a string; lists are arrays, maps plain objects. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Places in the file, not in the frontmatter. */
  readonly positions: YamlPositions
}

/** The fields of a frontmatter that starts on `line` of its file; undefined where it is none and the log says why. */
export const parseFrontmatter = (text: string, line: number, log: SkillLog): FrontmatterFields | undefined =>
  isWithinLimits(text, line, log) ? (readSimple(text, line, log.file) ?? readYaml(text, line, log)) : undefined

const isWithinLimits = (frontmatter: string, line: number, log: SkillLog): boolean => {
  const { maxBytes } = frontmatterLimits
  if (frontmatter.length * 3 > maxBytes && Buffer.byteLength(frontmatter) > maxBytes) {
    log.report('frontmatter-too-large', 'the frontmatter is larger than 64 KiB', { place: () => ({ line, column: 1 }) })
    return false
  }
  // Read leniently, bytes that are no text have become replacement characters.
  if (log.mode === 'lenient' && frontmatter.includes('\ufffd'))
    log.report('not-utf8', 'the frontmatter has bytes that are not UTF-8', { place: () => ({ line, column: 1 }) })
  const nul = frontmatter.indexOf('\0')
  if (nul !== -1) {
    const before = frontmatter.slice(0, nul).split('\n')
    const place = () => ({ line: line + before.length - 1, column: (before.at(-1) ?? '').length + 1 })
    log.report('nul-byte', 'the frontmatter has a NUL byte', { place })
  }
  return nul === -1
}

const readSimple = (text: string, line: number, file: string): FrontmatterFields | undefined => {
  const fields = readSimpleYaml(text)
  if (fields === undefined) return undefined
  // Few files need a place, and the parser costs more than all the rest.
  let positions: YamlPositions | undefined
  const byParser = (): YamlPositions => {
    positions ??= positionsOf(parse(text, line, file))
    return positions
  }
  return {
    fields,
    positions: {
      at: (path) => byParser().at(path),
      key: (path) => {
        const name = path.length === 1 ? String(path[0]) : ''
        if (!Object.hasOwn(fields, name)) return byParser().key(path)
        return { line: line + simpleKeyLine(text, name), column: 1 }
      },
    },
  }
}

const positionsOf = (result: YamlResult): YamlPositions => {
  if (!result.ok) throw new Error('simple frontmatter that is no YAML')
  return result.positions
}

const readYaml = (text: string, line: number, log: SkillLog): FrontmatterFields | undefined => {
  const first = parse(text, line, log.file)
  const result = first.ok ? first : (parseRepaired(text, line, log) ?? first)
  if (!result.ok) {
    log.add(result.diagnostics.map(withOwnHint))
    return undefined
  }
  const { value, positions } = result
  const place = () => positions.at([])
  if (value === null || value === '') {
    log.report('frontmatter-map', 'the frontmatter is empty', { place: () => ({ line, column: 1 }) })
    return undefined
  }
  if (!isRecord(value)) {
    log.report('frontmatter-map', `the frontmatter is ${Array.isArray(value) ? 'a list' : 'a text'}, not a map`, {
      place,
    })
    return undefined
  }
  if (countNodes(value) > frontmatterLimits.maxNodes) {
    log.report('yaml-too-many-keys', 'the frontmatter has more than 1,000 values', { place })
    return undefined
  }
  return { fields: value, positions }
}

const parseRepaired = (text: string, line: number, log: SkillLog): YamlResult | undefined => {
  const repaired = repairFrontmatter(text)
  const result = repaired && parse(repaired.text, line, log.file)
  if (!repaired || !result?.ok) return undefined
  for (const { line: at, key, quoted } of repaired.repairs) {
    log.report('unquoted-colon', `the value of ${visibleLine(key, 60)} holds a colon and is not in quotes`, {
      place: () => ({ line: line + at, column: 1 }),
      hint: `Write ${visibleLine(`${key}: ${quoted}`, 160)}`,
    })
  }
  return result
}

/** Blank lines stand for what is above the frontmatter, so that all lines are the file's. */
const parse = (text: string, line: number, file: string): YamlResult =>
  parseYaml('\n'.repeat(line - 1) + text, {
    file,
    maxBytes: Number.POSITIVE_INFINITY,
    maxDepth: frontmatterLimits.maxDepth,
    maxKeys: frontmatterLimits.maxNodes,
    scalars: 'strings',
    codePrefix: 'skill',
  })

/** The parser's advice is for files that can be split. */
const withOwnHint = (diagnostic: Diagnostic): Diagnostic =>
  diagnostic.code === 'skill/yaml-too-many-keys'
    ? { ...diagnostic, hint: skillRule('yaml-too-many-keys').hint }
    : diagnostic

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const countNodes = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, child) => sum + countNodes(child), 1)
}
