import type { Skill } from '../core/skill.ts'
import { countTokens } from '../lib/tokens.ts'
import { type IndexOptions, renderIndex } from './render-index.ts'

export const defaultIndexTokens = 8000

/** How an index was made to fit: descriptions shortened to so many characters, names only, or not even all names. */
export type IndexCut =
  | { readonly kind: 'descriptions'; readonly characters: number }
  | { readonly kind: 'names' }
  | { readonly kind: 'some'; readonly shown: number; readonly skills: number }

export type FittedIndex = { readonly text: string; readonly cut?: IndexCut }

/**
 * The index within a budget of tokens (estimated): whole; with shortened descriptions; names alone; as many names as
 * there is room for. What was cut is said in it. The same skills and budget give the same bytes; '' without skills.
 */
export const fitIndex = (skills: readonly Skill[], tokens: number, options: IndexOptions = {}): FittedIndex => {
  if (skills.length === 0) return { text: '' }
  const render = (shown: readonly Skill[], cut: IndexCut) =>
    renderIndex(shown, { ...options, note: noteOf(cut), ...(cut.kind === 'descriptions' ? {} : { namesOnly: true }) })
  const fits = (text: string) => countTokens(text) <= tokens
  const whole = renderIndex(skills, options)
  if (fits(whole)) return { text: whole }

  const shortened = (characters: number) =>
    render(skills.map(withDescription(characters)), { kind: 'descriptions', characters })
  if (fits(shortened(SHORTEST))) {
    const characters = SHORTEST + most(longest(skills) - 1 - SHORTEST, (more) => fits(shortened(SHORTEST + more)))
    return { text: shortened(characters), cut: { kind: 'descriptions', characters } }
  }

  const onlyNames = render(skills, { kind: 'names' })
  if (fits(onlyNames)) return { text: onlyNames, cut: { kind: 'names' } }
  const some = (shown: number): IndexCut => ({ kind: 'some', shown, skills: skills.length })
  const shown = most(skills.length - 1, (n) => fits(render(skills.slice(0, n), some(n))))
  return { text: render(skills.slice(0, shown), some(shown)), cut: some(shown) }
}

/** Below this a description says nothing that its name does not. */
const SHORTEST = 24

/** What the model is told; and a person, in other words, by whoever indexes. */
const noteOf = (cut: IndexCut): string => {
  const find = 'search_skills finds skills by what they are for'
  switch (cut.kind) {
    case 'descriptions':
      return `There are too many skills to describe them here in full: descriptions are cut to ${cut.characters} characters. ${find}.`
    case 'names':
      return `There are too many skills to describe them here: these are their names alone. ${find}.`
    case 'some':
      return `There are too many skills to name them here: ${cut.skills - cut.shown} of ${cut.skills} are left out. ${find}, those too.`
  }
}

const withDescription =
  (characters: number) =>
  (skill: Skill): Skill => ({ ...skill, description: shorten(skill.description, characters) })

const shorten = (text: string, characters: number): string => {
  if (text.length <= characters) return text
  return `${text
    .slice(0, characters - 1)
    .toWellFormed()
    .trimEnd()}…`
}

const longest = (skills: readonly Skill[]): number =>
  skills.reduce((most, { description }) => Math.max(most, description.length), 0)

/** The largest number up to `max` for which it holds, or 0; what holds for a number holds for a smaller one. */
const most = (max: number, holds: (n: number) => boolean): number => {
  let [low, high] = [0, Math.max(0, max)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** What was cut of the index, in a person's words. */
export const describeCut = (cut: IndexCut, tokens: number): string => {
  const longer = `the index of skills is longer than ${tokens} tokens, so`
  switch (cut.kind) {
    case 'descriptions':
      return `${longer} descriptions are cut to ${cut.characters} characters`
    case 'names':
      return `${longer} it has names alone`
    case 'some':
      return `${longer} it has names alone, ${cut.shown} of ${cut.skills}`
  }
}
