import type { PlaceWords } from '../report/place-words.ts'
import { shellLine } from '../report/shell-line.ts'

/** The command that goes on with a run, in the same place. Trust is not taken over from a file: it is given again. */
export const resumeCommand = (id: string, place: PlaceWords, trustSuites: boolean): string =>
  shellLine([
    'skills-eval',
    'run',
    ...place.folder,
    '--resume',
    id,
    ...place.config,
    ...(trustSuites ? ['--trust-suites'] : []),
  ])
