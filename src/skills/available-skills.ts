import type { ActionType } from '../core/actions.ts'
import type { SkillSource } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'
import { isFree, parseToolRule } from '../core/tool-rule.ts'
import { visibleLine } from '../lib/visible.ts'

/** The tools of a run: its own, and the names of those that are provided to it. */
export type RunTools = { readonly own: ReadonlySet<ActionType>; readonly provided: ReadonlySet<string> }

/**
 * The skills that a run can use: one that requires a tool which the run does not have is not in the index, not found,
 * and answered with that reason. The same source where there is none such.
 */
export const availableSkills = (source: SkillSource, tools: RunTools): SkillSource => {
  const missing = new Map<Skill, readonly string[]>()
  for (const skill of source.visible()) {
    const lacking = missingTools(skill, tools)
    if (lacking.length > 0) missing.set(skill, lacking)
  }
  if (missing.size === 0) return source
  const visible = source.visible().filter((skill) => !missing.has(skill))
  const hidden = new Set([...missing.keys()].map(({ name }) => name))
  return {
    ...source,
    visible: () => visible,
    resolve: (ref, by) => {
      const found = source.resolve(ref, by)
      const lacking = 'problem' in found ? [] : missingTools(found, tools)
      if ('problem' in found || lacking.length === 0) return found
      const names = lacking.map((name) => visibleLine(name, 60)).join(', ')
      return { problem: `The skill ${found.name} is not available: this run has no tool ${names}, which it requires.` }
    },
    byFile: (path) => {
      const found = source.byFile(path)
      return found !== undefined && missing.has(found) ? undefined : found
    },
    search: async (query, limit) => {
      const hits = await source.search(query, limit + missing.size)
      return hits.filter(({ name }) => !hidden.has(name)).slice(0, limit)
    },
  }
}

const missingTools = ({ requiredTools = [] }: Skill, tools: RunTools): readonly string[] =>
  requiredTools.filter((name) => !isThere(name, tools))

/** By our names, those of other runtimes, or the name of a provided tool. */
const isThere = (name: string, { own, provided }: RunTools): boolean => {
  if (provided.has(name)) return true
  const rule = parseToolRule(name)
  if (rule === undefined || rule.kind === 'name') return false
  return rule.tools.some((tool) => isFree(tool) || (tool !== 'call_tool' && own.has(tool)))
}
