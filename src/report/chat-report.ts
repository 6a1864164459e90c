import type { SkillHit } from '../core/skill.ts'
import type { Plan, Usage } from '../core/trajectory.ts'
import { allInput, allOutput } from '../core/usage.ts'
import { nearest } from '../lib/nearest.ts'
import { foreignLine } from './foreign-text.ts'
import { formatCost, formatNumber, plural, UNKNOWN } from './format-number.ts'

export type ListedSkill = {
  readonly name: string
  readonly description: string
  readonly source: string
  readonly hiddenFromUser: boolean
  readonly isLoaded: boolean
  readonly isDisabled: boolean
}

/** What `/skills` prints. */
export const chatSkillsText = (skills: readonly ListedSkill[]): string => {
  if (skills.length === 0) return 'there are no skills\n'
  return skills
    .map((skill) => {
      const marks = [
        skill.source,
        ...(skill.isLoaded ? ['loaded'] : []),
        ...(skill.isDisabled ? ['disabled'] : []),
        ...(skill.hiddenFromUser ? ['for the agent only'] : []),
      ]
      return `${foreignLine(skill.name)} (${marks.join(', ')}): ${foreignLine(skill.description, 160)}\n`
    })
    .join('')
}

/** What `/search` prints. */
export const searchText = (hits: readonly SkillHit[]): string =>
  hits.length === 0
    ? 'no skill matches\n'
    : hits
        .map(({ name, source, description }) => `${foreignLine(name)} (${source}): ${foreignLine(description, 160)}\n`)
        .join('')

const stepMarks = { pending: '[ ]', in_progress: '[…]', completed: '[x]' } as const

/** What `/plan` prints. */
export const agentPlanText = (plan: Plan | null): string => {
  if (plan === null || plan.steps.length === 0) return 'there is no plan\n'
  const goal = plan.goal === undefined ? [] : [foreignLine(plan.goal, 300)]
  const steps = plan.steps.map(({ title, status }) => `${stepMarks[status]} ${foreignLine(title, 300)}`)
  const assumed = (plan.assumptions ?? []).map((text) => `assumed: ${foreignLine(text, 300)}`)
  return `${[...goal, ...steps, ...assumed].join('\n')}\n`
}

/** What `/cost` prints. */
export const spentText = ({
  usage,
  costUsd,
  turns,
}: {
  readonly usage: Usage
  readonly costUsd: number | null
  readonly turns: number
}): string => {
  const [input, output] = [allInput(usage), allOutput(usage)].map((n) => (n === null ? UNKNOWN : formatNumber(n)))
  return `${plural(turns, 'answer')} of the model, ${input} tokens in, ${output} out, ${formatCost(costUsd)}\n`
}

/** What is said of a name that nobody knows, with those that may have been meant. */
export const unknownText = (what: string, name: string, known: readonly string[]): string => {
  const close = nearest(name, known)
  const hint =
    close.length > 0
      ? `did you mean ${close.map((one) => foreignLine(one)).join(' or ')}?`
      : '/help and /skills list them'
  return `there is no ${what} ${foreignLine(name)}: ${hint}\n`
}
