import { useEffect, useState } from 'preact/hooks'
import type { CaseResult, RunHead, TrialResult } from '../../core/results.ts'
import { baselineName } from '../../report/baseline-tables.ts'
import { tellingTrial } from '../../report/explain-case.ts'
import { formatShare, plural, UNKNOWN } from '../../report/format-number.ts'
import type { ReportHead } from '../../report/html/report-head.ts'
import { placeOf } from '../../report/place-words.ts'
import { repeatCommand } from '../../report/repeat-command.ts'
import { rateText } from '../../report/summary-tables.ts'
import type { ListedRow } from '../filter-rows.ts'
import { caseAddress, caseKey } from '../route.ts'
import { IntervalPlot } from './charts.tsx'
import { type Feedback, RemarkField } from './feedback.tsx'
import { CaseLift } from './lift.tsx'
import { Other } from './other.tsx'
import type { ReportData } from './read-blocks.ts'
import { StatusWord } from './status.tsx'
import { Block, Command, Line } from './text.tsx'
import { Explained, Trial } from './trial.tsx'
import { useKeys } from './use-keys.ts'

type Props = {
  readonly data: ReportData
  readonly rows: readonly ListedRow[]
  readonly wanted: string
  readonly trial: number | undefined
  readonly feedback: Feedback
  /** Where Escape goes: the list as it was left. */
  readonly back: string
}

/** A case with one of its trials; beside it, where there is one, the same case of the other run or arm. */
export const CasePage = ({ data, rows, wanted, trial, feedback, back }: Props) => {
  const at = rows.findIndex(({ key }) => key === wanted)
  const row = rows[at]
  const { result, base } = useCase(data, row?.index, wanted)
  const step = (by: number) => () => {
    const next = rows[at + by]
    if (at >= 0 && next !== undefined) location.hash = caseAddress(next.key)
  }
  useKeys({
    n: step(1),
    p: step(-1),
    e: () => {
      const all = [...document.querySelectorAll<HTMLDetailsElement>('main details.action')]
      const isAnyClosed = all.some(({ open }) => !open)
      for (const one of all) one.open = isAnyClosed
    },
    Escape: () => {
      if (document.activeElement?.matches('textarea')) (document.activeElement as HTMLElement).blur()
      else location.hash = back
    },
  })
  if (result === 'loading') return <p class="faint">Reading the case …</p>
  const shown = result ?? base
  if (shown === undefined) {
    return (
      <>
        <h1 tabIndex={-1}>There is no such case</h1>
        <p>
          The address names none of the cases of this run. <a href="#/cases">All cases</a>
        </p>
      </>
    )
  }
  return (
    <article>
      <nav aria-label="Cases" class="neighbours">
        <a href={back}>All cases</a>
        <Neighbour row={rows[at - 1]} label="Previous" />
        <Neighbour row={at < 0 ? undefined : rows[at + 1]} label="Next" />
      </nav>
      <CaseHead run={data.head.run} row={row} result={shown} />
      {result === undefined && <p class="reason">The case is gone: this is how it was in the base run.</p>}
      {shown.baseline !== undefined && data.head.run.baseline !== undefined && (
        <CaseLift baseline={shown.baseline} arm={data.head.run.baseline.arm} />
      )}
      {result !== undefined && base !== undefined ? (
        <Arms result={result} base={base} of={baseTitle(data.head)} trial={trial} wanted={wanted} />
      ) : (
        <Trials result={shown} trial={trial} wanted={wanted} />
      )}
      {shown.trials.length > 0 && (
        <RemarkField name={`${wanted}/${chosenTrial(shown, trial)?.n ?? 1}`} feedback={feedback} />
      )}
    </article>
  )
}

type Found = { readonly result: CaseResult | undefined | 'loading'; readonly base: CaseResult | undefined }

const useCase = (data: ReportData, index: number | undefined, wanted: string): Found => {
  const [found, setFound] = useState<Found & { readonly of: string }>({ of: '', result: 'loading', base: undefined })
  useEffect(() => {
    let isWanted = true
    const load = async () => {
      const result = index === undefined ? undefined : await data.caseAt('cases', index)
      const at = baseIndex(data.head, wanted, index !== undefined)
      const base = at === -1 ? undefined : await data.caseAt('base', at)
      if (isWanted) setFound({ of: wanted, result, base })
    }
    void load()
    return () => {
      isWanted = false
    }
  }, [data, index, wanted])
  return found.of === wanted ? found : { result: 'loading', base: undefined }
}

/** The same case in the base run; where each run has one model, also under the other's name. */
const baseIndex = ({ run, base = [] }: ReportHead, wanted: string, isInRun: boolean): number => {
  const same = base.findIndex((one) => caseKey(one) === wanted)
  if (same !== -1 || !isInRun) return same
  const models = new Set(base.map(({ model }) => model))
  if (models.size !== 1 || new Set(run.suites.flatMap((suite) => suite.models.map(({ model }) => model))).size !== 1)
    return -1
  const withoutModel = wanted.slice(0, wanted.lastIndexOf('/'))
  return base.findIndex((one) => caseKey(one).slice(0, caseKey(one).lastIndexOf('/')) === withoutModel)
}

const Neighbour = ({ row, label }: { readonly row: ListedRow | undefined; readonly label: string }) =>
  row === undefined ? null : <a href={caseAddress(row.key)}>{label}</a>

type HeadProps = { readonly run: RunHead; readonly row: ListedRow | undefined; readonly result: CaseResult }

const CaseHead = ({ run, row, result }: HeadProps) => {
  const { id, model, status, description, tags, golden, flaky, line } = result
  const suite = row === undefined ? undefined : run.suites[row.suite]
  const name = suite === undefined ? id : `${suite.name}/${id}`
  return (
    <header>
      <h1 tabIndex={-1}>
        <StatusWord status={status} /> <Line text={name} />
      </h1>
      {description !== undefined && (
        <p>
          <Line text={description} max={2000} />
        </p>
      )}
      <dl class="facts">
        <div>
          <dt>model</dt>
          <dd>
            <Line text={model} />
          </dd>
        </div>
        {suite !== undefined && (
          <div>
            <dt>suite</dt>
            <dd>
              <Line text={`${suite.path}${line === undefined ? '' : `:${line}`}`} />
            </dd>
          </div>
        )}
        {result.pass_rate !== null && (
          <div>
            <dt>pass rate</dt>
            <dd>
              <IntervalPlot rate={result.pass_rate} interval={result.interval} /> {rateText(result)}
            </dd>
          </div>
        )}
        {result.trials.length > 1 && <PassAt result={result} />}
        {result.trials_planned !== undefined && result.trials_planned > result.trials.length && (
          <div>
            <dt>trials</dt>
            <dd>
              {result.trials.length} of {result.trials_planned}: they had decided the case
            </dd>
          </div>
        )}
        {tags.length > 0 && (
          <div>
            <dt>tags</dt>
            <dd>
              <Line text={tags.join(', ')} />
            </dd>
          </div>
        )}
        {(golden || flaky) && (
          <div>
            <dt>notes</dt>
            <dd>{[golden && 'golden', flaky && 'flaky'].filter(Boolean).join(', ')}</dd>
          </div>
        )}
      </dl>
      <Reason result={result} />
      {suite !== undefined && (
        <p>
          <span class="faint">repeat</span> <Command line={repeatCommand(suite, result, placeOf(run))} />
        </p>
      )}
      {suite !== undefined && status === 'stale' && (
        <p>
          <span class="faint">record anew</span>{' '}
          <Command line={`${repeatCommand(suite, result, placeOf(run))} --record stale`} />
        </p>
      )}
      {suite !== undefined && row?.error === 'missing_cassette' && (
        <p>
          <span class="faint">record</span>{' '}
          <Command line={`${repeatCommand(suite, result, placeOf(run))} --record missing`} />
        </p>
      )}
      <Input texts={result.input ?? []} />
      <Other part="case" of={result} />
    </header>
  )
}

const Reason = ({ result }: { readonly result: CaseResult }) => {
  const { reason } = result
  const told = tellingTrial(result)
  if (reason === undefined || told?.error?.message === reason) return null
  // What differs from a recording stands below, part by part.
  const isToldBelow = told?.status === 'stale' && told.cassette?.differences !== undefined
  return <Explained text={isToldBelow ? (reason.split('\n', 1)[0] ?? '') : reason} />
}

/** What the agent was asked; a conversation is numbered. */
const Input = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.length === 0 ? null : (
    <section class="input">
      <h2>Request</h2>
      {texts.map((text, i) => (
        <div key={i}>
          {texts.length > 1 && <p class="faint">message {i + 1}</p>}
          <Block text={text} />
        </div>
      ))}
    </section>
  )

const PassAt = ({ result }: { readonly result: CaseResult }) => (
  <>
    {(
      [
        ['pass@k', result.pass_at_k],
        ['pass^k', result.pass_pow_k],
      ] as const
    ).map(([name, byK]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {Object.entries(byK)
            .slice(0, 6)
            .map(([k, value]) => `${k}: ${formatShare(value)}`)
            .join(', ') || UNKNOWN}
        </dd>
      </div>
    ))}
  </>
)

/** The one that was asked for, else the one that says why the case ended as it did. */
const chosenTrial = (result: CaseResult, n: number | undefined): TrialResult | undefined =>
  result.trials.find((trial) => trial.n === n) ?? tellingTrial(result) ?? result.trials[0]

type TrialsProps = { readonly result: CaseResult; readonly trial: number | undefined; readonly wanted: string }

const Trials = ({ result, trial, wanted }: TrialsProps) => {
  const shown = chosenTrial(result, trial)
  return shown === undefined ? (
    <p>It was not run.</p>
  ) : (
    <>
      <TrialLinks result={result} shown={shown} wanted={wanted} />
      <Trial key={`${wanted}/${shown.n}`} trial={shown} told={result.reason} />
    </>
  )
}

const TrialLinks = ({ result, shown, wanted }: { result: CaseResult; shown: TrialResult; wanted: string }) =>
  result.trials.length < 2 ? null : (
    <nav aria-label="Trials" class="trial-links">
      <span class="faint">{plural(result.trials.length, 'trial')}</span>
      {result.trials.map(({ n, status }) => (
        <a key={n} href={caseAddress(wanted, n)} aria-current={n === shown.n ? 'page' : undefined}>
          {n} <StatusWord status={status} />
        </a>
      ))}
    </nav>
  )

const baseTitle = ({ run, comparison }: ReportHead): string =>
  comparison === undefined && run.baseline !== undefined ? baselineName(run.baseline.arm) : 'base'

type ArmsProps = TrialsProps & {
  readonly base: CaseResult
  /** What the other side is called. */
  readonly of: string
}

/** Both runs, or both arms, side by side; a trial stands beside the one of the same number. */
const Arms = ({ result, base, of, trial, wanted }: ArmsProps) => {
  const shown = chosenTrial(result, trial)
  const beside = base.trials.find(({ n }) => n === shown?.n) ?? chosenTrial(base, undefined)
  return (
    <>
      {shown !== undefined && <TrialLinks result={result} shown={shown} wanted={wanted} />}
      <div class="arms">
        {(
          [
            [of, base, beside],
            ['this run', result, shown],
          ] as const
        ).map(([title, side, one]) => (
          <section key={title} aria-label={title}>
            <h2>
              {title} <StatusWord status={one?.status ?? side.status} />
            </h2>
            {one === undefined ? (
              <p>It was not run.</p>
            ) : (
              <Trial
                key={`${wanted}/${one.n}`}
                trial={one}
                told={side === base && result.baseline !== undefined ? base.reason : result.reason}
                level={3}
              />
            )}
          </section>
        ))}
      </div>
    </>
  )
}
