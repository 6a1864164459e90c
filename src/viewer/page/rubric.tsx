import { plural } from '../../report/format-number.ts'
import type { CheckResult } from '../../schema/run.ts'
import { findQuote, type Mark } from '../find-quote.ts'
import { rubricResults, type ShownCriterion, type ShownVerdict } from '../rubric-results.ts'
import { Line } from './text.tsx'

/** Where the quotes that were believed stand in an answer: a mark is named after its check and criterion. */
export const quotesIn = (answer: string, checks: readonly CheckResult[]): readonly Mark[] =>
  checks.flatMap((check, at) =>
    rubricResults(check).flatMap(({ verdicts }, criterion) =>
      verdicts.flatMap(({ quote, passed, isUnsupported }) => {
        const place = passed && !isUnsupported ? findQuote(answer, quote) : undefined
        return place === undefined ? [] : [{ ...place, name: markName(at, criterion) }]
      }),
    ),
  )

export const markName = (check: number, criterion: number): string => `${check}.${criterion + 1}`

type Props = {
  readonly results: readonly ShownCriterion[]
  /** The place of the check in its trial. */
  readonly at: number
  readonly marks: readonly Mark[]
}

/** A rubric criterion by criterion: the verdict, how the judges voted, why, and on what evidence. */
export const Rubric = ({ results, at, marks }: Props) => (
  <ol class="rubric">
    {results.map(({ criterion, met, passes, judges, verdicts }, i) => (
      <li key={i}>
        <p>
          <span class={met ? 'good' : 'bad'}>{met ? 'met' : 'not met'}</span>{' '}
          <b>
            <Line text={criterion} max={1000} />
          </b>{' '}
          {judges > 1 && (
            <span class="faint">
              {passes} of {plural(judges, 'judge')}
            </span>
          )}
        </p>
        <ul>
          {sameVerdicts(verdicts).map(({ verdict, times }, n) => (
            <Verdict key={n} verdict={verdict} times={times} />
          ))}
        </ul>
        {marks.some(({ name }) => name === markName(at, i)) && <ShowMark name={markName(at, i)} />}
      </li>
    ))}
  </ol>
)

/** Judges that say the same, word for word, are told once. */
const sameVerdicts = (verdicts: readonly ShownVerdict[]) => {
  const told = new Map<string, { readonly verdict: ShownVerdict; times: number }>()
  for (const verdict of verdicts) {
    const key = JSON.stringify(verdict)
    const same = told.get(key)
    if (same === undefined) told.set(key, { verdict, times: 1 })
    else same.times += 1
  }
  return [...told.values()]
}

type VerdictProps = { readonly verdict: ShownVerdict; readonly times: number }

const Verdict = ({ verdict: { passed, reason, quote, isUnsupported }, times }: VerdictProps) => (
  <li>
    {times > 1 && <span class="faint">{times} × </span>}
    <span class={passed && !isUnsupported ? 'good' : 'bad'}>
      {passed ? (isUnsupported ? 'pass, not believed' : 'pass') : 'fail'}
    </span>
    {reason !== '' && (
      <>
        {': '}
        <Line text={reason} max={2000} />
      </>
    )}
    {quote !== '' && (
      <>
        {' '}
        <q>
          <Line text={quote} max={1000} />
        </q>
      </>
    )}
    {isUnsupported && <span class="warn">{quote === '' ? ' without a quote' : ' is not in the text'}</span>}
  </li>
)

const ShowMark = ({ name }: { readonly name: string }) => (
  <button
    type="button"
    onClick={(event) => {
      // Of two arms, each has its own answer.
      const side = event.currentTarget.closest('section[aria-label]') ?? document
      const mark = side.querySelector<HTMLElement>(`mark[data-name="${name}"]`)
      mark?.scrollIntoView({ block: 'center' })
      mark?.focus({ preventScroll: true })
    }}
  >
    Show in the answer
  </button>
)
