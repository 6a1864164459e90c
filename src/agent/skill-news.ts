import type { SkillSource } from '../core/ports.ts'
import type { Skill, SkillBody, SkillProblem } from '../core/skill.ts'
import { visibleLine } from '../lib/visible.ts'
import type { RunState } from './run-state.ts'
import { isOtherBody } from './select-skills.ts'

/**
 * What the model is told before a request of what became of the skills, '' where there is nothing to be told; it stands
 * on the trajectory then. A loaded skill that is other on disk than the conversation has it may be selected once more.
 */
export const skillNews = (state: RunState, { controls }: SkillSource, turn: number): string => {
  if (controls === undefined) return ''
  const { lines, changed } = controls.news([...state.loaded.keys()])
  const outdated: string[] = []
  for (const name of [...state.loaded.keys()]) {
    const skill = state.loaded.get(name)
    const now = skill && controls.current(skill)
    if (now === undefined) continue
    // What it may use is what it declares now, whatever it says.
    state.loaded.set(name, now.skill)
    if (!isOther(now.skill, state, now.body)) state.outdated.delete(name)
    else if (!state.outdated.has(name)) outdated.push(name)
  }
  for (const name of outdated) state.outdated.add(name)
  if (lines.length + outdated.length === 0) return ''
  const names = outdated.map((name) => visibleLine(name, 80)).join(', ')
  const news = [
    'The skills have changed since you were told of them.',
    ...lines,
    ...(names === '' ? [] : [`Changed since you loaded them: ${names}. Select them again for what they say now.`]),
  ].join('\n')
  const all = [...new Set([...changed, ...outdated])].sort()
  state.trajectory.push({ type: 'index', turn, news, ...(all.length === 0 ? {} : { changed: all }) })
  return news
}

const isOther = (skill: Skill, { messages }: RunState, body: SkillBody | SkillProblem): boolean => {
  // One that can't be read any more is gone, or says so when it is selected.
  if ('problem' in body) return false
  const given = messages.flatMap((message) => {
    const bodies = message.role === 'tool' ? message.results.flatMap((one) => one.bodies ?? []) : []
    return message.role === 'user' ? (message.bodies ?? []) : bodies
  })
  const last = given.findLast((one) => one.skill === skill.name)
  return last !== undefined && isOtherBody(last, skill, body)
}
