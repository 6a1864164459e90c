import { splitWords } from './split-words.ts'

/** Names for the words of a request, as `arguments` in a frontmatter has them: a list, or one text. */
export const argumentNames = (value: unknown): readonly string[] => {
  const texts = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,]+/) : []
  return texts.filter((name) => typeof name === 'string' && /^[A-Za-z_][\w-]*$/.test(name) && name !== 'ARGUMENTS')
}

export type FillOptions = {
  /** See `argumentNames`. */
  readonly names: readonly string[]
  /** What the user said behind the skill's name; undefined: nobody invoked it by name, and nothing of a request is filled in. */
  readonly given: string | undefined
  readonly folder: string
}

/**
 * Fills in what Claude Code calls string substitutions: `$ARGUMENTS`, `$ARGUMENTS[0]` and `$0` (the first word),
 * `$name` for those of `names`, and `${CLAUDE_SKILL_DIR}`. One pass, so that what is filled in is never read again. A
 * number without a word stays as it is, a name without one is empty; a backslash in front keeps a placeholder. `isTaken`:
 * something of `given` has found its place. https://code.claude.com/docs/en/skills
 */
export const fillPlaceholders = (
  text: string,
  { names, given, folder }: FillOptions,
): { readonly text: string; readonly isTaken: boolean } => {
  const words = given === undefined ? [] : splitWords(given)
  let isTaken = false
  const filled = text.replaceAll(patternOf(names), (...match) => {
    const { backslash, placeholder, dir, index, number, name } = match.at(-1) as Readonly<
      Record<string, string | undefined>
    >
    const whole = `${backslash ?? ''}${placeholder}`
    if (dir !== undefined) return backslash === '' ? folder : `${placeholder}`
    if (given === undefined) return whole
    if (backslash !== '') return `${placeholder}`
    const at = index ?? number
    const value = name !== undefined ? (words[names.indexOf(name)] ?? '') : at !== undefined ? words[Number(at)] : given
    if (value === undefined) return whole
    if (name === undefined || names.indexOf(name) < words.length) isTaken = true
    return value
  })
  return { text: filled, isTaken }
}

/** The placeholders of a text as they are written, each once. */
export const placeholdersIn = (text: string, names: readonly string[]): readonly string[] => [
  ...new Set(
    [...text.matchAll(patternOf(names))].flatMap(({ groups }) =>
      groups?.backslash === '' && groups.placeholder !== undefined ? [groups.placeholder] : [],
    ),
  ),
]

export const skillFolderPlaceholder = '${CLAUDE_SKILL_DIR}'

const patternOf = (names: readonly string[]): RegExp => {
  // The longest first: `$from-branch` is not `$from`.
  const named = [...names].sort((a, b) => b.length - a.length).join('|')
  const parts = [
    String.raw`(?<dir>\{CLAUDE_SKILL_DIR\})`,
    String.raw`ARGUMENTS(?:\[(?<index>\d{1,4})\]|(?!\w))`,
    String.raw`(?<number>\d{1,4})(?!\w)`,
    ...(named === '' ? [] : [String.raw`(?<name>${named})(?!\w)`]),
  ]
  return new RegExp(String.raw`(?<backslash>\\?)(?<placeholder>\$(?:${parts.join('|')}))`, 'g')
}
