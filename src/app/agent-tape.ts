import { canonicalForm } from '../cassette/canonical.ts'
import { type CassetteName, fingerprintsOf } from '../cassette/cassette-file.ts'
import { partBook } from '../cassette/part-book.ts'
import { type Place, placeholders } from '../cassette/placeholders.ts'
import type { RecordedStart } from '../cassette/read-request.ts'
import { recordModel } from '../cassette/record-model.ts'
import type { Redactor } from '../cassette/redactor.ts'
import type { ModelAdapter } from '../core/ports.ts'
import type { Cassette } from '../schema/cassette.ts'
import type { Config, Profile } from '../schema/config.ts'
import { paramsOf } from './recorded-models.ts'

export type AgentTape = {
  readonly model: ModelAdapter
  /** The recording so far, under this name; undefined where there is nothing to be replayed. */
  cassette(name: CassetteName): Cassette | undefined
  /** Goes on behind this recording, which was made another time. */
  goOn(earlier: Cassette, start: Pick<RecordedStart, 'messages' | 'shortened'>): void
}

/** A model whose conversation is recorded as that of a case would be. */
export const agentTape = (
  inner: ModelAdapter,
  about: {
    readonly profile: Profile
    readonly config: Config
    readonly places: readonly Place[]
    readonly secrets: Redactor
    readonly now: number
  },
): AgentTape => {
  let book = partBook()
  const model = recordModel(inner, {
    params: paramsOf(about.profile),
    canonical: canonicalForm(placeholders(about.places), about.secrets, about.config.normalize ?? []),
    path: '',
    book: { ...book, add: (parts) => book.add(parts) },
    ended: () => undefined,
  })
  return {
    model,
    goOn: ({ parts, trials: [trial] }, start) => {
      book = partBook(parts)
      if (trial) model.goOn(trial, start)
    },
    cassette: ({ suite, case: id, profile }) => {
      const trial = model.soFar()
      return (
        trial && {
          format: 'skills-eval/cassette@1',
          suite,
          case: id,
          profile,
          recorded: new Date(about.now).toISOString().slice(0, 10),
          parts: book.only(fingerprintsOf([trial])),
          trials: [trial],
        }
      )
    },
  }
}
