import { plural } from '../../report/format-number.ts'
import { markName } from '../quotes.ts'
import type { ShownCriterion, ShownVerdict } from '../rubric-results.ts'
import { Line } from './text.tsx'

type Props = {
  readonly results: readonly ShownCriterion[]
  /** The place of the check in its trial. */
  readonly at: number
  /** The names of the marks that there are. */
  readonly marked: ReadonlySet<string>
  readonly where: 'answer' | 'trajectory'
}

/** A rubric criterion by criterion: the verdict, how the judges voted, why, and on what evidence. */
export const Rubric = ({ results, at, marked, where }: Props) => (
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
        {marked.has(markName(at, i)) && <ShowMark name={markName(at, i)} where={where} />}
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

const ShowMark = ({ name, where }: { readonly name: string } & Pick<Props, 'where'>) => (
  <button
    type="button"
    onClick={(event) => {
      // Of two arms, each has its own answer.
      const side = event.currentTarget.closest('section[aria-label]') ?? document
      // A file may have been written several times: it was judged as it was in the end.
      const mark = [...side.querySelectorAll<HTMLElement>(`mark[data-name="${name}"]`)].at(-1)
      for (let at = mark?.closest('details'); at; at = at.parentElement?.closest('details')) at.open = true
      mark?.scrollIntoView({ block: 'center' })
      mark?.focus({ preventScroll: true })
    }}
  >
    Show in the {where}
  </button>
)
