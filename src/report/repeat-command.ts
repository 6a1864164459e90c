import type { CaseResult, SuiteHead } from '../core/results.ts'
import { foreignLine } from './foreign-text.ts'
import { type Place, pathFrom } from './place-words.ts'
import { shellWord } from './shell-word.ts'

/**
 * A shell line without line breaks, whatever the names in it are. The id with `=`: without it, a case whose id has this one
 * in it would run too. `-C` and `--config` stay as they were given.
 */
export const repeatCommand = (
  suite: Pick<SuiteHead, 'path' | 'models'>,
  { id, model }: Pick<CaseResult, 'id' | 'model'>,
  place: Place = { folder: [], config: [], from: '' },
): string =>
  suitesCommand('run', [suite], place, ['--filter', `=${id}`, ...(suite.models.length > 1 ? ['--model', model] : [])])

/** The same for whole suites. */
export const suitesCommand = (
  command: string,
  suites: readonly Pick<SuiteHead, 'path'>[],
  place: Place,
  options: readonly string[] = [],
): string => {
  const paths = suites.map(({ path }) => pathFrom(place.from, path))
  const words = [
    ...place.folder,
    ...paths.map((path) => (path.startsWith('-') ? `./${path}` : path)),
    ...options,
    ...place.config,
  ]
  return [`skills-eval ${command}`, ...words.map((one) => shellWord(foreignLine(one, 1000)))].join(' ')
}
