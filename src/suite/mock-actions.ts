import type { Path } from './path.ts'
import { isRecord, listOr } from './record.ts'

/** An action as its author wrote it, and where it stands in the mock. */
export type PlacedAction = { readonly path: Path; readonly action: unknown }

/** Every action that a mock may take, in its turns or its rules. */
export const actionsOf = (mock: unknown): PlacedAction[] => {
  if (Array.isArray(mock)) return mock.flatMap((turn, i) => turnActions(turn, [i]))
  if (!isRecord(mock)) return []
  const rules = rulesOf(mock).flatMap((rule, i) => (isRecord(rule) ? turnActions(rule.do, ['rules', i, 'do']) : []))
  return [...rules, ...turnActions(mock.otherwise, ['otherwise'])]
}

/** The rules of a mock that has some. */
export const rulesOf = (mock: unknown): readonly unknown[] => (isRecord(mock) ? listOr(mock.rules) : [])

const turnActions = (turn: unknown, path: Path): PlacedAction[] => {
  if (Array.isArray(turn)) return turn.map((action, i) => ({ path: [...path, i], action }))
  return isRecord(turn) ? [{ path, action: turn }] : []
}
