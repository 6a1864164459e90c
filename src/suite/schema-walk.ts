import * as z from 'zod'
import type { Path } from './path.ts'

/** A schema without what only says that it may be absent or made later. */
export const unwrap = (schema: unknown): unknown => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodLazy) {
    return unwrap(schema.unwrap())
  }
  return schema instanceof z.ZodDefault ? unwrap(schema.unwrap()) : schema
}

/** The schemas that may hold for one value: the options of unions, at any depth, or the schema alone. */
export const optionsOf = (schema: unknown): readonly unknown[] => {
  const bare = unwrap(schema)
  return bare instanceof z.ZodUnion ? bare.options.flatMap(optionsOf) : [bare]
}

/** The schemas that may hold for the value at a path below a value that one of `schemas` holds for; none where unknown. */
export const schemasAt = (schemas: readonly unknown[], path: Path): readonly unknown[] =>
  path.reduce<readonly unknown[]>(
    (found, segment) => found.flatMap((schema) => optionsOf(schema).flatMap((option) => child(option, segment))),
    schemas,
  )

const child = (schema: unknown, segment: string | number): readonly unknown[] => {
  if (schema instanceof z.ZodObject) {
    return Object.hasOwn(schema.shape, segment) ? [schema.shape[segment as string]] : []
  }
  if (schema instanceof z.ZodArray) return [schema.element]
  return schema instanceof z.ZodRecord ? [schema.valueType] : []
}

/** Every key that a map may have under one of these schemas. */
export const keysOf = (schemas: readonly unknown[]): readonly string[] => [
  ...new Set(
    schemas.flatMap(optionsOf).flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : [])),
  ),
]

/**
 * Where each key of a format may stand: key → the paths of the maps that know it (`''` is the root), shallow ones
 * first. Lists are passed through; maps with free keys are not entered, for their keys are the author's.
 */
export const keyHomes = (root: unknown): ReadonlyMap<string, readonly string[]> => {
  const homes = new Map<string, string[]>()
  const seen = new Set<unknown>()
  let level: readonly Placed[] = [{ schema: root, path: '' }]
  while (level.length > 0) {
    const objects = level.flatMap(objectsIn).filter(({ schema }) => !seen.has(schema))
    for (const { schema } of objects) seen.add(schema)
    level = objects.flatMap(({ schema, path }) =>
      Object.entries(schema.shape).map(([key, inner]) => {
        const known = homes.get(key) ?? []
        if (!known.includes(path)) homes.set(key, [...known, path])
        return { schema: inner, path: path === '' ? key : `${path}.${key}` }
      }),
    )
  }
  return homes
}

type Placed = { readonly schema: unknown; readonly path: string }

/** The maps with fixed keys that a value may be, or be a list of. */
const objectsIn = ({ schema, path }: Placed): { readonly schema: z.ZodObject; readonly path: string }[] =>
  optionsOf(schema).flatMap((option) => {
    if (option instanceof z.ZodArray) return objectsIn({ schema: option.element, path })
    return option instanceof z.ZodObject ? [{ schema: option, path }] : []
  })
