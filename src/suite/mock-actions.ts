import type { Path } from './path.ts'
import { isRecord, listOr } from './record.ts'

/** An action as its author wrote it, and where it stands in the mock. */
export type PlacedAction = { readonly path: Path; readonly action: unknown }

/** Every action that a mock may take, in its turns or its rules. */
export const actionsOf = (mock: unknown): PlacedAction[] => scriptsOf(mock).flatMap(actionsOfScript)

/** The script of the agent, and those of its sub-agents. */
export const scriptsOf = (mock: unknown): readonly { readonly path: Path; readonly script: unknown }[] => {
  if (!isRecord(mock)) return [{ path: [], script: mock }]
  const subagents = isRecord(mock.subagents) ? Object.entries(mock.subagents) : []
  return [
    'turns' in mock ? { path: ['turns'], script: mock.turns } : { path: [], script: mock },
    ...subagents.map(([name, script]) => ({ path: ['subagents', name], script })),
  ]
}

const actionsOfScript = ({ path, script }: { readonly path: Path; readonly script: unknown }): PlacedAction[] => {
  if (Array.isArray(script)) return script.flatMap((turn, i) => turnActions(turn, [...path, i]))
  if (!isRecord(script)) return []
  const rules = rulesOf(script).flatMap((rule, i) =>
    isRecord(rule) ? turnActions(rule.do, [...path, 'rules', i, 'do']) : [],
  )
  return [...rules, ...turnActions(script.otherwise, [...path, 'otherwise'])]
}

/** The rules of a script that has some. */
export const rulesOf = (mock: unknown): readonly unknown[] => (isRecord(mock) ? listOr(mock.rules) : [])

const turnActions = (turn: unknown, path: Path): PlacedAction[] => {
  if (Array.isArray(turn)) return turn.map((action, i) => ({ path: [...path, i], action }))
  return isRecord(turn) ? [{ path, action: turn }] : []
}
