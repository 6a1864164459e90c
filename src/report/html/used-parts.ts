import { toSkillRef } from '../../core/actions.ts'
import type { CaseResult, TrialResult } from '../../core/results.ts'

/** What the trials of a run did with a skill. */
export type UsedSkill = {
  readonly skill: string
  /** In how many cases it was selected. */
  readonly cases: number
  readonly files: readonly UsedFile[]
}

export type UsedFile = {
  readonly path: string
  readonly how: 'loaded' | 'run'
  readonly cases: number
}

/** A run of very many skills is no table that a person reads. */
const MAX_SKILLS = 1_000
const MAX_FILES = 500

/** Counts the cases in which a skill was selected, and in which each of its files was loaded or run. */
export const usedParts = () => {
  const skills = new Map<string, { cases: number; readonly files: Map<string, number> }>()
  const of = (name: string) => {
    const known = skills.get(name)
    if (known !== undefined || skills.size >= MAX_SKILLS) return known
    const skill = { cases: 0, files: new Map<string, number>() }
    skills.set(name, skill)
    return skill
  }
  return {
    add: ({ trials }: CaseResult): void => {
      for (const name of new Set(trials.flatMap(({ skills_selected }) => skills_selected))) {
        const skill = of(name)
        if (skill !== undefined) skill.cases += 1
      }
      for (const file of new Set(trials.flatMap(filesOf))) {
        const [name = '', ...use] = JSON.parse(file) as readonly string[]
        const files = of(name)?.files
        const key = JSON.stringify(use)
        if (files !== undefined && (files.has(key) || files.size < MAX_FILES)) files.set(key, (files.get(key) ?? 0) + 1)
      }
    },
    told: (): readonly UsedSkill[] =>
      [...skills]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([skill, { cases, files }]) => ({
          skill,
          cases,
          files: [...files]
            .map(([key, count]) => {
              const [how, path] = JSON.parse(key) as [UsedFile['how'], string]
              return { path, how, cases: count }
            })
            .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
        })),
  }
}

/** Each use as a text, so that a case counts it once: skill, how, path. A script that failed was run all the same. */
const filesOf = ({ actions }: TrialResult): readonly string[] =>
  actions.flatMap(({ action, params, status, exit_code }) => {
    const how = action === 'load_resource' ? 'loaded' : action === 'run_script' ? 'run' : undefined
    if (how === undefined || !(status === 'ok' || (how === 'run' && exit_code !== undefined))) return []
    const { name } = (toSkillRef(params.skill) ?? {}) as { readonly name?: unknown }
    if (typeof name !== 'string' || typeof params.path !== 'string') return []
    return [JSON.stringify([name, how, params.path.replace(/^(?:\.\/)+/, '')])]
  })
