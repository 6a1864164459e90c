import type MiniSearch from 'minisearch'
import type { Skill, SkillHit } from '../core/skill.ts'

/** What can be looked for. */
export type Searched = Pick<Skill, 'name' | 'description' | 'tags'> & { readonly source: string }

export type SearchSkills = (query: string, limit: number) => Promise<readonly SkillHit[]>

/**
 * Ranks skills by BM25 over name (counting three times), tags (twice) and description; words match by their beginning
 * and with small typing errors. The search index is built at the first query. Best first, ties by name.
 */
export const skillSearch = (skills: readonly Searched[]): SearchSkills => {
  let building: Promise<MiniSearch<Document>> | undefined
  return async (query, limit) => {
    if (skills.length === 0 || limit < 1) return []
    building ??= build(skills)
    const search = await building
    return search
      .search(query)
      .map(({ id, score }) => ({ skill: skills[id], score }))
      .flatMap(({ skill, score }) => (skill === undefined ? [] : [hit(skill, score)]))
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      .slice(0, limit)
  }
}

// Each word of a query is looked up by prefix and distance: a pasted page would cost seconds.
const maxQueryLength = 500
const maxQueryWords = 32

type Document = { readonly id: number; readonly name: string; readonly description: string; readonly tags: string }

const build = async (skills: readonly Searched[]): Promise<MiniSearch<Document>> => {
  const { default: Index } = await import('minisearch')
  const cut = wordCutter()
  const index = new Index<Document>({
    fields: ['name', 'description', 'tags'],
    tokenize: cut,
    processTerm: (term) => term,
    searchOptions: {
      boost: { name: 3, tags: 2 },
      prefix: true,
      fuzzy: 0.2,
      tokenize: (query) => [...new Set(cut(query.slice(0, maxQueryLength)))].slice(0, maxQueryWords),
    },
  })
  index.addAll(skills.map(({ name, description, tags }, id) => ({ id, name, description, tags: tags.join(' ') })))
  return index
}

const hit = ({ name, description, source }: Searched, score: number): SkillHit => ({ name, description, source, score })

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u
const wordPattern = /[\p{L}\p{M}\p{N}]+(?:[-_][\p{L}\p{M}\p{N}]+)*/gu

/**
 * Cuts a text into words, in lowercase after NFKC. A name with hyphens is one word and also its parts; scripts that put
 * no spaces between words are cut by the rules of Unicode.
 */
export const wordCutter = (): ((text: string) => string[]) => {
  // Making one takes 30 ms: only for the texts that need it.
  let segmenter: Intl.Segmenter | undefined
  const segments = (word: string): string[] => {
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
    return [...segmenter.segment(word)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
  }
  return (text) => {
    const words: string[] = []
    for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(wordPattern)) {
      if (unspaced.test(word)) words.push(...segments(word))
      else words.push(word)
      if (/[-_]/.test(word)) words.push(...word.split(/[-_]/))
    }
    return words
  }
}
