import type { RunHead, Status, Summary } from '../../core/results.ts'
import { baselineName } from '../../report/baseline-tables.ts'
import { formatCost, formatDuration, formatNumber, formatShare, plural, UNKNOWN } from '../../report/format-number.ts'
import { placeOf } from '../../report/place-words.ts'
import { repeatCommand, suitesCommand } from '../../report/repeat-command.ts'
import { shellWord } from '../../report/shell-word.ts'
import { interferenceRows, rateText, spendingLine, thresholdRows, triggerRows } from '../../report/summary-tables.ts'
import { missedThresholds } from '../../report/thresholds.ts'
import { isGood, verdictLine } from '../../report/verdict-line.ts'
import { filterRows, type ListedRow } from '../filter-rows.ts'
import { caseAddress, casesAddress, noQuery } from '../route.ts'
import { sameProblems } from '../same-problems.ts'
import { AuditSection } from './audit.tsx'
import { HeatMap, Histogram, IntervalPlot } from './charts.tsx'
import { LiftSection } from './lift.tsx'
import { Other } from './other.tsx'
import type { ReportData } from './read-blocks.ts'
import { RowsTable } from './rows-table.tsx'
import { Scroll } from './scroll.tsx'
import { StatusWord } from './status.tsx'
import { Command, Line } from './text.tsx'
import { UsedSection } from './used.tsx'

const everything = { limit: 1_000 }

/** What a person needs first is at the top: the verdict, what failed and why, what to do next; then the numbers. */
export const Overview = ({
  data,
  rows,
}: {
  readonly data: ReportData
  readonly rows: readonly ListedRow[] | undefined
}) => {
  const { run } = data.head
  const { summary } = run
  const triggers = triggerRows(summary, everything)
  const thresholds = thresholdRows(run, everything)
  const missed = missedThresholds(run).length
  return (
    <>
      <h1 tabIndex={-1}>
        <span class={isGood(run) ? 'status passed' : 'status failed'}>{sentence(run)}</span>
      </h1>
      <p class="faint">{verdictLine(run)}</p>
      <Counts summary={summary} />
      {run.interrupted !== undefined && (
        <p class="reason">
          Interrupted: <Line text={run.interrupted} />. What had not finished is skipped.
        </p>
      )}
      <Part run={run} />
      {rows === undefined ? <p class="faint">Reading the cases …</p> : <Problems run={run} rows={rows} />}
      {thresholds.rows.length > 0 && (
        <section>
          <h2>Gates</h2>
          {missed === 0 ? (
            <details>
              <summary>
                {thresholds.rows.length === 1
                  ? 'The threshold is met'
                  : `All ${thresholds.rows.length} thresholds are met`}
              </summary>
              <RowsTable caption="Thresholds of the run and of its suites" rows={thresholds} />
            </details>
          ) : (
            <RowsTable caption="Thresholds of the run and of its suites" rows={thresholds} />
          )}
        </section>
      )}
      <section>
        <h2>Suites</h2>
        <Suites run={run} />
      </section>
      {triggers.rows.length > 0 && (
        <section>
          <h2>Triggers</h2>
          {summary.trigger.confusion.length > 0 && <HeatMap confusion={summary.trigger.confusion} />}
          <RowsTable caption="Was each skill selected where it should be, and left alone elsewhere" rows={triggers} />
          {run.interference !== undefined && (
            <RowsTable caption="Skills that were mistaken for each other" rows={interferenceRows(run, everything)} />
          )}
        </section>
      )}
      <Distractors run={run} />
      {run.baseline !== undefined && <LiftSection baseline={run.baseline} />}
      {run.audit !== undefined && <AuditSection audit={run.audit} />}
      <UsedSection data={data} />
      <section>
        <h2>Cost, tokens and latency</h2>
        <p>{spendingLine(summary)}</p>
        {rows !== undefined && <Spending rows={rows} />}
        <Actions actions={summary.actions} />
      </section>
      <section>
        <h2>This run</h2>
        <About run={run} />
        <Other part="summary" of={summary} />
        <Other part="run" of={run} />
        {run.suites.map((suite) => (
          <Other key={suite.name} part="suite" of={suite} />
        ))}
      </section>
    </>
  )
}

/** Where this is not the whole of a run. */
const Part = ({ run: { shard, missing_shards: missing = [], arm } }: { readonly run: RunHead }) => (
  <>
    {shard !== undefined && (
      <p class="reason">
        Shard {shard.index} of {shard.total}: its part of a plan of {plural(shard.cases, 'case')}. Thresholds are for
        the whole: <code>skills-eval merge</code> looks at them.
      </p>
    )}
    {missing.length > 0 && (
      <p class="reason warn">
        Merged without {missing.length === 1 ? 'shard' : 'shards'} {missing.join(', ')}: their cases are not in it.
      </p>
    )}
    {arm !== undefined && <p class="reason">This is the baseline of another run, {baselineName(arm)}.</p>}
  </>
)

const Distractors = ({ run }: { readonly run: RunHead }) => (
  <>
    {run.suites.map(
      ({ name, distractors = [] }) =>
        distractors.length > 0 && (
          <details key={name}>
            <summary>
              {plural(distractors.length, 'distractor')} beside the skills of <Line text={name} max={80} />
            </summary>
            <p>
              <Line text={distractors.join(', ')} max={5000} />
            </p>
          </details>
        ),
    )}
  </>
)

const sentence = (run: RunHead): string => {
  const { cases, passed, failed, errors, stale, skipped } = run.summary
  const missed = missedThresholds(run).length
  const ran = cases - skipped
  if (run.interrupted !== undefined) return `Interrupted: ${formatNumber(passed)} of ${plural(cases, 'case')} passed`
  const bad = [
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
    ...(errors > 0 ? [`${formatNumber(errors)} could not be judged`] : []),
    ...(stale > 0 ? [`${formatNumber(stale)} ${stale === 1 ? 'has a stale recording' : 'have stale recordings'}`] : []),
  ]
  if (bad.length > 0) return `Of ${plural(ran, 'case')}, ${bad.join(', ')}`
  if (missed > 0) return `Every case passed, but ${plural(missed, 'threshold was', 'thresholds were')} missed`
  return ran === 0 ? 'No case was run' : ran === 1 ? 'The case passed' : `All ${formatNumber(ran)} cases passed`
}

const Counts = ({ summary }: { readonly summary: Summary }) => {
  const counts: readonly (readonly [Status, number])[] = [
    ['failed', summary.failed],
    ['error', summary.errors],
    ['stale', summary.stale],
    ['skipped', summary.skipped],
    ['passed', summary.passed],
  ]
  return (
    <ul class="counts">
      {counts
        .filter(([, count]) => count > 0)
        .map(([status, count]) => (
          <li key={status}>
            <a href={casesAddress({ statuses: [status] })}>
              {formatNumber(count)} <StatusWord status={status} />
            </a>
          </li>
        ))}
      <li>
        pass rate <b>{rateText(summary)}</b>
      </li>
    </ul>
  )
}

const SHOWN = 10
const problems: readonly Status[] = ['failed', 'error', 'stale']

const Problems = ({ run, rows }: { readonly run: RunHead; readonly rows: readonly ListedRow[] }) => {
  const bad = filterRows(rows, { ...noQuery, statuses: problems, sort: 'status' })
  if (bad.length === 0) return null
  const groups = sameProblems(bad)
  return (
    <section>
      <h2>What went wrong</h2>
      <ul class="problems">
        {groups.slice(0, SHOWN).map((same) => (
          <Problem key={same[0].index} same={same} isMatrix={run.suites[same[0].suite]?.models.length !== 1} />
        ))}
      </ul>
      {groups.length > SHOWN && (
        <p>
          <a href={casesAddress({ statuses: problems, sort: 'status' })}>All {formatNumber(bad.length)} of them</a>
        </p>
      )}
      <NextSteps run={run} bad={bad} />
    </section>
  )
}

type ProblemProps = {
  /** One case, on several models. */
  readonly same: readonly [ListedRow, ...ListedRow[]]
  readonly isMatrix: boolean
}

const Problem = ({ same, isMatrix }: ProblemProps) => {
  const [{ status, key, suiteName, id, model, reason }, ...others] = same
  return (
    <li>
      <StatusWord status={status} />{' '}
      <a href={caseAddress(key)}>
        <Line text={`${suiteName}/${id}`} max={120} />
      </a>{' '}
      {isMatrix && (
        <span class="faint">
          <Line text={model} max={60} />
          {others.slice(0, SHOWN).map((one) => (
            <span key={one.index}>
              {', '}
              <a href={caseAddress(one.key)}>
                <Line text={one.model} max={60} />
              </a>
            </span>
          ))}
          {others.length > SHOWN && ` and ${plural(others.length - SHOWN, 'more model')}`}
        </span>
      )}
      <p>
        <Line text={reason} />
      </p>
    </li>
  )
}

/** One command for each thing that can be done about it, for the suites that it concerns. */
const NextSteps = ({ run, bad }: { readonly run: RunHead; readonly bad: readonly ListedRow[] }) => {
  const [only] = bad
  const suite = only === undefined ? undefined : run.suites[only.suite]
  const stale = bad.filter(({ status }) => status === 'stale')
  const missing = bad.filter(({ error }) => error === 'missing_cassette')
  return (
    <dl class="next">
      {only !== undefined && suite !== undefined && (
        <div>
          <dt>Repeat the first of them</dt>
          <dd>
            <Command line={repeatCommand(suite, only, placeOf(run))} />
          </dd>
        </div>
      )}
      {stale.length > 0 && (
        <div>
          <dt>Record the stale ones anew, if the change was meant</dt>
          <dd>
            <Command line={suitesCommand('run', suitesOf(run, stale), placeOf(run), ['--record', 'stale'])} />
          </dd>
        </div>
      )}
      {missing.length > 0 && (
        <div>
          <dt>Record what has no recording</dt>
          <dd>
            <Command line={suitesCommand('run', suitesOf(run, missing), placeOf(run), ['--record', 'missing'])} />
          </dd>
        </div>
      )}
    </dl>
  )
}

const suitesOf = ({ suites }: RunHead, rows: readonly ListedRow[]) => {
  const wanted = new Set(rows.map(({ suite }) => suite))
  return suites.filter((_, i) => wanted.has(i)).slice(0, 20)
}

const Suites = ({ run }: { readonly run: RunHead }) => (
  <Scroll label="Suites">
    <table>
      <caption>Pass rates with their 95% intervals</caption>
      <thead>
        <tr>
          <th scope="col">suite</th>
          <th scope="col">model</th>
          {['cases', 'passed', 'failed', 'errors', 'stale', 'skipped'].map((title) => (
            <th key={title} scope="col" class="number">
              {title}
            </th>
          ))}
          <th scope="col">pass rate</th>
          <th scope="col" class="number">
            cost
          </th>
          <th scope="col" class="number">
            p95
          </th>
        </tr>
      </thead>
      <tbody>
        {run.suites.flatMap((suite) =>
          suite.models.map(({ model, summary }) => (
            <tr key={`${suite.name}/${model}`}>
              <th scope="row">
                <a href={casesAddress({ suite: suite.name, ...(suite.models.length > 1 ? { model } : {}) })}>
                  <Line text={suite.name} max={80} />
                </a>
              </th>
              <td>
                <Line text={model} max={60} />
              </td>
              <td class="number">{formatNumber(summary.cases)}</td>
              <td class="number">{formatNumber(summary.passed)}</td>
              <Loud count={summary.failed} />
              <Loud count={summary.errors} />
              <Loud count={summary.stale} />
              <td class="number">{formatNumber(summary.skipped)}</td>
              <td class="rate">
                <IntervalPlot rate={summary.pass_rate} interval={summary.interval} /> {rateText(summary)}
              </td>
              <td class="number">{formatCost(summary.cost_usd)}</td>
              <td class="number">
                {summary.latency_ms.p95 === null ? UNKNOWN : formatDuration(summary.latency_ms.p95)}
              </td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  </Scroll>
)

const Loud = ({ count }: { readonly count: number }) => (
  <td class={count > 0 ? 'number bad' : 'number'}>{formatNumber(count)}</td>
)

const Spending = ({ rows }: { readonly rows: readonly ListedRow[] }) => {
  const known = (pick: (row: ListedRow) => number | null) => rows.map(pick).filter((value) => value !== null)
  return (
    <div class="plots">
      <Histogram
        title="Tokens of a case"
        values={known(({ tokens }) => tokens)}
        format={(n) => formatNumber(Math.round(n))}
      />
      <Histogram title="Cost of a case" values={known(({ cost }) => cost)} format={formatCost} />
      <Histogram title="Model latency of a trial" values={known(({ latency }) => latency)} format={formatDuration} />
    </div>
  )
}

const Actions = ({ actions }: { readonly actions: Summary['actions'] }) => {
  const entries = Object.entries(actions).sort(([, a], [, b]) => b - a)
  if (entries.length === 0) return null
  const total = entries.reduce((sum, [, count]) => sum + count, 0)
  return (
    <details>
      <summary>{plural(total, 'action')} by kind</summary>
      <table>
        <tbody>
          {entries.map(([name, count]) => (
            <tr key={name}>
              <th scope="row">
                <Line text={name} max={80} />
              </th>
              <td class="number">{formatNumber(count)}</td>
              <td class="number">{formatShare(count / total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

const About = ({ run }: { readonly run: RunHead }) => {
  const { id, started_at, duration_ms, tool, command, git, seed } = run
  const facts = [
    ['run', id],
    ['started', started_at],
    ['took', formatDuration(duration_ms)],
    ['command', ['skills-eval', ...command].map(shellWord).join(' ')],
    ['commit', git === null ? UNKNOWN : `${git.commit}${git.dirty ? ', with changes' : ''}`],
    ['seed', String(seed)],
    ['program', `${tool.name} ${tool.version}`],
  ] as const
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Line text={value} max={1000} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
