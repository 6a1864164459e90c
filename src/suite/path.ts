import { visibleLine } from '../lib/visible.ts'
import { quote } from './plain-words.ts'

/** The way from the root of some data to a value in it: keys of maps, indexes of lists. */
export type Path = readonly (string | number)[]

const ownChild = (value: unknown, segment: string | number): { readonly value: unknown } | undefined => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined
  return { value: (value as Record<string | number, unknown>)[segment] }
}

/** The value at a path; undefined where there is none. */
export const valueAt = (root: unknown, path: Path): unknown => {
  let value = root
  for (const segment of path) value = ownChild(value, segment)?.value
  return value
}

/** How many segments of the path exist in the data. */
export const depthIn = (root: unknown, path: Path): number => {
  let value = root
  for (const [depth, segment] of path.entries()) {
    const child = ownChild(value, segment)
    if (child === undefined) return depth
    value = child.value
  }
  return path.length
}

/** A path as one text, different for each path. */
export const pathKey = (path: Path): string => JSON.stringify(path)

/** `expected.output[0].regex`, as it is told to a person. */
export const formatPath = (path: Path): string =>
  path.reduce<string>((text, segment) => {
    if (typeof segment === 'number') return `${text}[${segment}]`
    const isWord = /^[\w-]+$/.test(segment)
    if (!isWord) return `${text}[${quote(segment)}]`
    const word = visibleLine(segment, 60)
    return text === '' ? word : `${text}.${word}`
  }, '')
