import * as z from 'zod'
import { actionTypeOf, mainParam } from '../core/actions.ts'
import { actionParamSchemas } from '../schema/action.ts'
import { caseSchema } from '../schema/suite.ts'
import { actionsOf } from './mock-actions.ts'
import type { Path } from './path.ts'
import { isRecord } from './record.ts'
import { optionsOf, schemasAt } from './schema-walk.ts'
import type { CaseTemplate } from './suite.ts'
import { compileText } from './template.ts'

/**
 * The paths of placeholders that stand alone where the format takes a text and no number: `contains: "{{answer}}"` means
 * the digits of a row's `answer: 42`. What may be anything (`equals`, what a double returns) keeps its type.
 */
export const textPlaces = (template: CaseTemplate): Path[] => {
  const { mock, ...rest } = template
  const inCase = lonePlaceholders(rest).filter((path) => takesText(schemasAt([caseSchema], path)))
  const inMock = actionsOf(mock).flatMap(({ path, action }) =>
    textPlacesInAction(action).map((inner): Path => ['mock', ...path, ...inner]),
  )
  return [...inCase, ...inMock]
}

const takesText = (schemas: readonly unknown[]): boolean => {
  const options = schemas.flatMap(optionsOf)
  const takes = (type: Parameters<typeof isOf>[1]): boolean => options.some((option) => isOf(option, type))
  return takes('string') && !takes('number') && !takes('boolean')
}

const isOf = (schema: unknown, type: 'string' | 'number' | 'boolean'): boolean =>
  schema instanceof z.ZodType && schema.type === type

const textPlacesInAction = (action: unknown): Path[] => {
  if (!isRecord(action)) return []
  const [name = ''] = Object.keys(action)
  const type = actionTypeOf(name)
  if (type === undefined) return []
  const schema = actionParamSchemas[type]
  return lonePlaceholders(action[name])
    .filter((path) => takesText(schemasAt([schema], path.length === 0 ? [mainParam(type)] : path)))
    .map((path) => [name, ...path])
}

/** Paths of the strings that are one placeholder and nothing else. */
const lonePlaceholders = (value: unknown, path: Path = []): Path[] => {
  if (typeof value === 'string') return isLone(value) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((item, i) => lonePlaceholders(item, [...path, i]))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, item]) => lonePlaceholders(item, [...path, key]))
}

const isLone = (text: string): boolean => compileText(text).columns.length === 1 && /^\{\{[^{}]*\}\}$/.test(text)
