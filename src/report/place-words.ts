/** Where a command was told to work: its `-C` and `--config`, as they were given. */
export type PlaceWords = { readonly folder: readonly string[]; readonly config: readonly string[] }

/** Finds them among the words of a command line of ours; the last of each counts, as in the command itself. */
export const placeWords = (command: readonly string[]): PlaceWords => {
  const end = command.indexOf('--')
  const words = end === -1 ? command : command.slice(0, end)
  const folder = lastValue(words, '-C', /^-C(.+)$/s)
  const config = lastValue(words, '--config', /^--config=(.*)$/s)
  return {
    folder: folder === undefined ? [] : ['-C', folder],
    config: config === undefined ? [] : ['--config', config],
  }
}

const lastValue = (words: readonly string[], option: string, joined: RegExp): string | undefined => {
  let found: string | undefined
  for (const [i, word] of words.entries()) {
    const [, behind] = joined.exec(word) ?? []
    found = word === option ? words[i + 1] : (behind ?? found)
  }
  return found
}
