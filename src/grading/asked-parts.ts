import { toSkillRef } from '../core/actions.ts'
import type { EvalCase } from '../core/plan.ts'
import type { ActionConstraints, ActionPattern } from '../schema/pattern.ts'
import { readPattern } from './read-pattern.ts'

/** A file of a skill as a pattern names it: `skill` undefined where it says none, `path` a glob. */
export type AskedFile = { readonly skill: string | undefined; readonly path: string }

/** What a case asks to be used of skills, read from its text alone. */
export type AskedParts = {
  /** Skills that must be selected, or that the request invokes by name. */
  readonly selected: readonly string[]
  readonly loaded: readonly AskedFile[]
  readonly run: readonly AskedFile[]
}

/**
 * The parts of skills that a case can pass only with: the skills that it expects, and the resources and scripts that its
 * action patterns ask for by path. A pattern that only forbids, or names no path, asks for no part.
 */
export const askedParts = (evalCase: EvalCase): AskedParts => {
  const { skills, actions } = evalCase.expected ?? {}
  const selected = new Set(Array.isArray(skills) ? skills : (skills?.includes ?? []))
  const loaded: AskedFile[] = []
  const run: AskedFile[] = []
  for (const pattern of askedPatterns(actions)) {
    const { type, status = 'ok', params } = readPattern(pattern)
    if (status === 'denied') continue
    const { skill, skills: listed, path } = params
    if (type === 'select_skills' && status === 'ok')
      for (const name of namesIn([skill, listed].flat())) selected.add(name)
    if (typeof path !== 'string') continue
    const file = { skill: namesIn([skill])[0], path }
    // A script that failed has run.
    if (type === 'run_script') run.push(file)
    if (type === 'load_resource' && status === 'ok') loaded.push(file)
  }
  for (const input of evalCase.input) {
    const name = /^\/([^\s/]+)/.exec(input)?.[1]
    if (name !== undefined) selected.add(name)
  }
  return { selected: [...selected].map(bareName), loaded, run }
}

const askedPatterns = (actions: ActionConstraints | undefined): readonly ActionPattern[] => {
  const { in_order = [], exactly = [], any_order = [], count = [], subagents = {} } = actions ?? {}
  const counted = count.flatMap(({ of, min = 0, equals = 0 }) => (min > 0 || equals > 0 ? [of] : []))
  return [...in_order, ...exactly, ...any_order, ...counted, ...Object.values(subagents).flatMap(askedPatterns)]
}

const namesIn = (refs: readonly unknown[]): string[] =>
  refs.flatMap((ref) => {
    const { name } = (toSkillRef(ref) ?? {}) as { readonly name?: unknown }
    return typeof name === 'string' ? [name] : []
  })

const bareName = (ref: string): string => namesIn([ref])[0] ?? ref
