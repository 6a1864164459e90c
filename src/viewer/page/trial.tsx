import { useMemo } from 'preact/hooks'
import type { CheckResult, RecordingUse, TrialResult } from '../../core/results.ts'
import { allInput, allOutput } from '../../core/usage.ts'
import { visible } from '../../lib/visible.ts'
import { explainCheck } from '../../report/explain-check.ts'
import { formatCost, formatDuration, formatNumber, formatShare, UNKNOWN } from '../../report/format-number.ts'
import type { ToneLine } from '../../report/tone.ts'
import { believedQuotes, isOfFile, marksIn, shownTexts } from '../quotes.ts'
import { rubricResults } from '../rubric-results.ts'
import { Other } from './other.tsx'
import { Rubric } from './rubric.tsx'
import { StaleParts } from './stale-parts.tsx'
import { StatusWord } from './status.tsx'
import { Block, Line, ToneLines, valueText } from './text.tsx'
import { Timeline } from './timeline.tsx'

type Props = {
  readonly trial: TrialResult
  /** The reason that stands above already. */
  readonly told: string | undefined
  /** Of its headings. */
  readonly level?: 2 | 3
}

/** All of one trial: why it ended as it did, its checks, the trajectory, the answer. */
export const Trial = ({ trial, told, level = 2 }: Props) => {
  const Heading = level === 2 ? 'h2' : 'h3'
  const checks = trial.checks.map((check, at) => ({ check, at }))
  const worstFirst = checks.toSorted((a, b) => Number(a.check.passed) - Number(b.check.passed))
  const { marks, ofFiles, marked } = useMemo(() => marksOf(trial), [trial])
  return (
    <>
      {level === 2 && <Heading>Trial {trial.n}</Heading>}
      <Reasons trial={trial} told={told} />
      <Facts trial={trial} />
      {trial.cassette !== undefined && <Recording use={trial.cassette} />}
      {trial.checks.length > 0 && (
        <section>
          <Heading>Checks</Heading>
          <ul class="checks">
            {worstFirst.map(({ check, at }) => (
              <Check key={at} check={check} at={at} marked={marked} />
            ))}
          </ul>
        </section>
      )}
      <section>
        <Heading>Trajectory</Heading>
        <Timeline actions={trial.actions} quotes={ofFiles} />
      </section>
      {trial.output !== null && (
        <section>
          <Heading>Answer</Heading>
          <Block text={trial.output} marks={marks} />
        </section>
      )}
      <Other part="trial" of={trial} />
    </>
  )
}

/** Quotes of the answer are marked in it; those of files in the actions, which is where their text is shown. */
const marksOf = ({ output, checks, actions }: TrialResult) => {
  const quotes = believedQuotes(checks)
  const ofFiles = quotes.filter((quote) => quote.isOfFile)
  const marks = marksIn(
    output ?? '',
    quotes.filter((quote) => !quote.isOfFile),
  )
  const marked = new Set(marks.map(({ name }) => name))
  if (ofFiles.length > 0)
    for (const text of shownTexts(actions)) for (const { name } of marksIn(text, ofFiles)) marked.add(name)
  return { marks, ofFiles, marked }
}

const Reasons = ({ trial: { error, reason }, told }: Pick<Props, 'trial' | 'told'>) => {
  const message = error === undefined ? undefined : `${error.code}: ${error.message}`
  const isRepeated = (text: string) => told?.includes(text) === true
  return (
    <>
      {message !== undefined && !isRepeated(message) && <Explained text={message} />}
      {reason !== undefined && !isRepeated(reason) && !message?.includes(reason) && <Explained text={reason} />}
    </>
  )
}

/** A reason; where it has the lines of a diff, they read as one. */
export const Explained = ({ text }: { readonly text: string }) =>
  text.includes('\n') ? (
    <DiffText text={text} />
  ) : (
    <p class="reason">
      <Line text={text} max={2000} />
    </p>
  )

const DiffText = ({ text }: { readonly text: string }) =>
  text.length > 20_000 ? <Block text={text} /> : <ToneLines lines={text.split('\n').map(toneOf)} />

const toneOf = (line: string): ToneLine => {
  const tone = /^\s*\+/.test(line) ? 'good' : /^\s*-/.test(line) ? 'bad' : 'plain'
  return { text: visible(line), tone }
}

const Facts = ({ trial }: { readonly trial: TrialResult }) => {
  const { usage, cost_usd, latency_ms, duration_ms, score, skills_selected, judge, attempts } = trial
  const tokens = (value: number | null) => (value === null ? UNKNOWN : formatNumber(value))
  const facts: readonly (readonly [string, string])[] = [
    ['skills', skills_selected.length === 0 ? 'none selected' : skills_selected.join(', ')],
    ['score', score === null ? UNKNOWN : formatShare(score)],
    ['tokens in, out', `${tokens(allInput(usage))}, ${tokens(allOutput(usage))}`],
    ['cost', formatCost(cost_usd)],
    ['model latency', formatDuration(latency_ms)],
    ['took', formatDuration(duration_ms)],
    ...(attempts === undefined ? [] : [['attempts', `${attempts}, all counted`] as const]),
    ...(judge === undefined ? [] : [['judge', judgeText(judge)] as const]),
  ]
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Line text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const judgeText = ({ profile, models, usage, cost_usd }: NonNullable<TrialResult['judge']>): string => {
  const answered = models.filter((model) => model !== profile)
  const tokens = [allInput(usage), allOutput(usage)].map((value) => (value === null ? UNKNOWN : formatNumber(value)))
  return `${[profile, ...answered].join(', ')}: ${tokens.join(', ')} tokens, ${formatCost(cost_usd)}`
}

const modes = {
  replay: 'replayed',
  positional: 'replayed by turn order: its requests have changed',
  record: 'recorded now',
} as const

const Recording = ({ use }: { readonly use: RecordingUse }) => (
  <section class="recording">
    <p>
      Recording: {modes[use.mode] ?? use.mode}, <Line text={use.path} />
    </p>
    {use.differences !== undefined && <StaleParts differences={use.differences} />}
    {use.stale_parts.length > 0 && use.differences === undefined && (
      <p>
        Differs from what was recorded:{' '}
        {use.stale_parts.map((part, i) => (
          <span key={part}>
            {i > 0 && ', '}
            <code>
              <Line text={part} />
            </code>
          </span>
        ))}
      </p>
    )}
  </section>
)

const detail = { maxLines: 200, maxLength: 500 }

type CheckProps = { readonly check: CheckResult; readonly at: number; readonly marked: ReadonlySet<string> }

const Check = ({ check, at, marked }: CheckProps) => {
  const { name, kind, passed, score, weight, message } = check
  const isPartial = score !== 0 && score !== 1
  const rubric = rubricResults(check)
  // Its first line is the name and the message again.
  const why = passed || rubric.length > 0 ? [] : explainCheck(check, detail).slice(1)
  return (
    <li class={passed ? 'check' : 'check failed'}>
      <p>
        <StatusWord status={passed ? 'passed' : 'failed'} />{' '}
        <b>
          <Line text={name} />
        </b>{' '}
        <span class="faint">
          {kind !== name && <Line text={kind} />}
          {isPartial && ` score ${formatShare(score)}`}
          {weight !== 1 && ` weight ${weight}`}
        </span>
        {message !== undefined && (
          <>
            {' '}
            <Line text={message.split('\n', 1)[0] ?? ''} max={500} />
          </>
        )}
      </p>
      {why.length > 0 && <ToneLines lines={why} />}
      {rubric.length > 0 ? (
        <Rubric results={rubric} at={at} marked={marked} where={isOfFile(check) ? 'trajectory' : 'answer'} />
      ) : (
        <Values check={check} />
      )}
      <Other part="check" of={check} />
    </li>
  )
}

/** What was compared, whole: an explanation shows as much as it takes to understand. */
const Values = ({ check: { expected, actual } }: { readonly check: CheckResult }) => {
  if (expected === undefined && actual === undefined) return null
  return (
    <details>
      <summary>expected and actual</summary>
      <div class="sides">
        {[['expected', expected] as const, ['actual', actual] as const].map(([name, value]) => (
          <div key={name}>
            <p class="faint">{name}</p>
            {value === undefined ? <p>{UNKNOWN}</p> : <Block text={valueText(value)} />}
          </div>
        ))}
      </div>
    </details>
  )
}
