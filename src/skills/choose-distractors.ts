import type { Skill } from '../core/skill.ts'
import { sha256 } from '../lib/hash.ts'
import { contentWords } from '../lib/words.ts'
import { normalName } from './check-name.ts'

/** Two sentences about different things still share a word or two by chance. */
const mostShared = 3

/**
 * At most `count` skills of the catalogue that have nothing to do with a suite's own: none with a name of theirs, none
 * of whose name a word stands in their names or descriptions, and none whose description shares more than three words
 * with that of one of them. The seed orders them: the same one gives the same skills, and a smaller count a part of them.
 */
export const chooseDistractors = (
  catalogue: readonly Skill[],
  own: readonly Skill[],
  { count, seed }: { readonly count: number; readonly seed: string },
): Skill[] => {
  const taken = new Set(own.map(({ name }) => normalName(name)))
  const texts = own.map(({ name, description }) => contentWords(`${name} ${description}`))
  const isUnrelated = ({ name, description }: Skill): boolean => {
    const nameWords = [...contentWords(name).keys()]
    const words = [...contentWords(description).keys()]
    return texts.every(
      (text) =>
        !nameWords.some((word) => text.has(word)) && words.filter((word) => text.has(word)).length <= mostShared,
    )
  }
  return catalogue
    .filter((skill) => !taken.has(normalName(skill.name)) && isUnrelated(skill))
    .map((skill) => ({ skill, place: sha256(`${seed}\0${skill.name}`) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, count)
    .map(({ skill }) => skill)
}
