import type { CassetteJudgeCall } from '../schema/cassette.ts'
import { canonicalForm } from './canonical.ts'
import { type CassetteName, cassetteText, fingerprintsOf, readCassette, withoutNoise } from './cassette-file.ts'
import { type JudgeTape, type JudgeTapeOptions, judgeTape } from './judge-tape.ts'
import { partBook } from './part-book.ts'
import { placeholders } from './placeholders.ts'
import type { Redactor } from './redactor.ts'
import { stalePolicy } from './stale-policy.ts'

/** The recording of a judge who is asked many questions apart from any run: one trial, and a tape for each question. */
export type JudgeCassette = {
  tape(question: Pick<JudgeTapeOptions, 'judge' | 'again'>): JudgeTape
  /** The file with what these tapes have, in their order; undefined where none has anything new. */
  written(tapes: readonly JudgeTape[]): { readonly text: string } | { readonly problem: string } | undefined
}

/** `text` is the file as it is; undefined: there is none. */
export const judgeCassette = (
  text: string | undefined,
  about: {
    readonly name: CassetteName
    /** Relative to the project. */
    readonly path: string
    readonly label: string
    readonly redactor: Redactor
    readonly today: string
  },
): JudgeCassette => {
  const { name, path, label, redactor } = about
  const read = text === undefined ? undefined : readCassette(text, name)
  const old = read && 'cassette' in read ? read.cassette : undefined
  const problem = read && 'problem' in read ? read.problem : undefined
  const book = partBook(old?.parts)
  const hidden = placeholders([])
  const canonical = canonicalForm(hidden, redactor, [])
  const unused: CassetteJudgeCall[] | undefined = old?.trials[0]?.judge && [...old.trials[0].judge]

  return {
    tape: ({ judge, again }) =>
      judgeTape(unused, {
        judge,
        again,
        canonical,
        placeholders: hidden,
        policy: stalePolicy().judge,
        book,
        path,
        label,
        problem: judge.mode === 'all' ? undefined : problem,
        // Among the questions of others, one with another material is not the same question changed.
        same: ['judge:criteria', 'judge:request', 'judge:material'],
      }),
    written: (tapes) => {
      if (!tapes.some((tape) => tape.hasNews())) return undefined
      const judge = tapes.flatMap((tape) => (tape.isBroken() ? [] : tape.calls()))
      if (judge.length === 0) return undefined
      const trials = [{ turns: [], outside: [], judge }]
      const { suite, case: id, profile } = name
      const made = readCassette(
        cassetteText({
          format: 'skills-eval/cassette@1',
          suite,
          case: id,
          profile,
          recorded: about.today,
          parts: book.only(fingerprintsOf(trials)),
          trials,
        }),
        name,
      )
      if ('problem' in made) return made
      const written = cassetteText(withoutNoise(made.cassette, old))
      return redactor.leaks(written) ? { problem: 'a secret could not be taken out of it' } : { text: written }
    },
  }
}
