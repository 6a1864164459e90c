import type { Authorizer, Decision } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'
import type { Verdict } from '../core/trajectory.ts'

/**
 * The skills whose declarations hold for all that a sub-agent does: its own, or where it declares nothing, those that
 * held where it was started, so that running on its own lifts no fence.
 */
export const fenceFor = (skill: Skill, loaded: readonly Skill[]): readonly Skill[] =>
  declares(skill) ? [skill] : loaded.filter(declares)

const declares = (skill: Skill): boolean => skill.allowedTools !== undefined

/** Decides as `inner` does, and never allows what these skills do not declare, whichever skill an action names. */
export const fencedAuthorizer = (inner: Authorizer, fence: readonly Skill[]): Authorizer => {
  if (fence.length === 0) return inner
  return {
    ...inner,
    decide: async (request) => {
      const [own, fenced] = [
        await inner.decide(request),
        await inner.decide({ ...request, skill: undefined, loaded: fence }),
      ]
      return stricter(own, fenced)
    },
  }
}

const rank: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }

const stricter = (a: Decision, b: Decision): Decision => (rank[b.verdict] > rank[a.verdict] ? b : a)
