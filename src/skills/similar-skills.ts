import type { SimilarSkills } from '../core/coverage.ts'
import type { Skill } from '../core/skill.ts'
import { sharedWords, wordOverlap } from '../lib/words.ts'

const alike = 0.6
/** Every pair is looked at. */
const mostSkills = 500

/** Pairs whose descriptions have at least 60 % of their words in common, the most alike first; of the first 500 skills. */
export const similarSkills = (skills: readonly Skill[]): SimilarSkills[] => {
  const looked = skills.slice(0, mostSkills)
  return looked
    .flatMap((one, i) =>
      looked.slice(i + 1).flatMap((other): SimilarSkills[] => {
        const overlap = wordOverlap(one.description, other.description)
        if (overlap < alike) return []
        const shared_words = sharedWords(one.description, other.description)
        return [{ skills: [one.name, other.name], overlap, shared_words }]
      }),
    )
    .sort((a, b) => b.overlap - a.overlap)
}
