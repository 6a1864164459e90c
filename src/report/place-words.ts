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

/** The same of the options as they were parsed. */
export const placeOfFlags = ({ C, config }: { readonly C?: string; readonly config?: string }): PlaceWords => ({
  folder: C === undefined ? [] : ['-C', C],
  config: config === undefined ? [] : ['--config', config],
})

/** Where the command of a run worked; `from` is its folder, relative to the project. */
export type Place = PlaceWords & { readonly from: string }

export const placeOf = ({
  command,
  folder = '',
}: {
  readonly command: readonly string[]
  readonly folder?: string | undefined
}): Place => ({
  ...placeWords(command),
  from: folder,
})

/** A path of the project as it is written in that folder. Both with forward slashes. */
export const pathFrom = (from: string, path: string): string => {
  const above = from.split('/').filter((part) => part !== '')
  const parts = path.split('/')
  let shared = 0
  while (shared < above.length && above[shared] === parts[shared]) shared += 1
  const written = [...above.slice(shared).map((part) => (part === '..' ? '' : '..')), ...parts.slice(shared)].join('/')
  return above.includes('..') ? path : written || '.'
}

const lastValue = (words: readonly string[], option: string, joined: RegExp): string | undefined => {
  let found: string | undefined
  for (const [i, word] of words.entries()) {
    const [, behind] = joined.exec(word) ?? []
    found = word === option ? words[i + 1] : (behind ?? found)
  }
  return found
}
