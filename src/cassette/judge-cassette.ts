import { canonicalJson } from '../lib/hash.ts'
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
  /**
   * The file with what these tapes have, in their order; undefined where none has anything new. What is recorded and not
   * asked any more is left out, unless a question came to no end: nobody knows what would have been asked.
   */
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
      const made = tapes.flatMap((tape) => (tape.isBroken() ? [] : tape.calls()))
      if (made.length === 0) return undefined
      const recorded = old?.trials[0]?.judge ?? []
      const judge = tapes.some((tape) => tape.isBroken()) ? [...made, ...leftOf(recorded, made)] : made
      const trials = [{ turns: [], outside: [], judge }]
      const { suite, case: id, profile } = name
      const readBack = readCassette(
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
      if ('problem' in readBack) return readBack
      const written = cassetteText(withoutNoise(readBack.cassette, old))
      return redactor.leaks(written) ? { problem: 'a secret could not be taken out of it' } : { text: written }
    },
  }
}

/** The old calls that are neither among the new ones nor made anew by one of them. */
const leftOf = (old: readonly CassetteJudgeCall[], made: readonly CassetteJudgeCall[]): CassetteJudgeCall[] => {
  const known = new Set(old)
  const kept = new Set(made)
  const anew = new Set(made.filter((call) => !known.has(call)).map(({ request }) => canonicalJson(request)))
  return old.filter((call) => !kept.has(call) && !anew.has(canonicalJson(call.request)))
}
