import type { Arm } from '../../core/arm.ts'
import type { Baseline, CaseBaseline } from '../../core/results.ts'
import { baselineLines, baselineName, noSignalRows } from '../../report/baseline-tables.ts'
import { intervalText, pointsText, pText, verdictWords } from '../../report/compare-tables.ts'
import { formatNumber, formatShare } from '../../report/format-number.ts'
import { casesAddress } from '../route.ts'
import { DifferencePlot } from './charts.tsx'
import { RowsTable } from './rows-table.tsx'
import { Scroll } from './scroll.tsx'
import { Line } from './text.tsx'

const MAX_NAMED = 200

/** What the skills add: the verdict and what it stands on, the lift of each skill, the checks that tell the arms apart by nothing. */
export const LiftSection = ({ baseline }: { readonly baseline: Baseline }) => {
  const [title, ...rest] = baselineLines(baseline)
  const silent = noSignalRows(baseline, MAX_NAMED)
  return (
    <section>
      <h2>What the skills add</h2>
      <p class={title?.tone}>
        <b>{title?.text}</b>
      </p>
      {rest.map(({ text, tone }, i) => (
        <p key={i} class={tone}>
          {text}
        </p>
      ))}
      {baseline.skills.length > 0 && <SkillLifts skills={baseline.skills} />}
      {baseline.lift.cases > 0 && (
        <p>
          <a href={casesAddress({ sort: 'lift' })}>Cases by their lift, the least first</a>; each shows both arms side
          by side.
        </p>
      )}
      {silent.rows.length > 0 && (
        <details>
          <summary>
            {formatNumber(baseline.no_signal.checks)}{' '}
            {baseline.no_signal.checks === 1
              ? 'check holds in both arms and shows'
              : 'checks hold in both arms and show'}{' '}
            nothing
          </summary>
          <RowsTable caption="They held in every trial of both arms" rows={silent} />
        </details>
      )}
    </section>
  )
}

const SkillLifts = ({ skills }: Pick<Baseline, 'skills'>) => (
  <Scroll label="The lift of each skill">
    <table>
      <caption>The lift of each skill, over the cases that expect it, the least first</caption>
      <thead>
        <tr>
          <th scope="col">skill</th>
          {['cases', 'baseline', 'run', 'lift'].map((title) => (
            <th key={title} scope="col" class="number">
              {title}
            </th>
          ))}
          <th scope="col">95% interval</th>
          <th scope="col" class="number">
            p
          </th>
          <th scope="col">verdict</th>
        </tr>
      </thead>
      <tbody>
        {skills
          .toSorted((a, b) => (a.difference ?? 0) - (b.difference ?? 0))
          .map(({ skill, cases, base, head, difference, interval, p, verdict }) => (
            <tr key={skill}>
              <th scope="row">
                <Line text={skill} max={80} />
              </th>
              <td class="number">{formatNumber(cases)}</td>
              <td class="number">{formatShare(base)}</td>
              <td class="number">{formatShare(head)}</td>
              <td class={(difference ?? 0) < 0 ? 'number bad' : 'number'}>{pointsText(difference)}</td>
              <td class="whole">
                <DifferencePlot difference={difference} interval={interval} />{' '}
                {interval === null ? '' : intervalText(interval)}
              </td>
              <td class="number">{pText(p)}</td>
              <td>{verdictWords[verdict]}</td>
            </tr>
          ))}
      </tbody>
    </table>
  </Scroll>
)

/** A case in both arms, in a line; the trials of both stand below. */
export const CaseLift = ({ baseline, arm }: { readonly baseline: CaseBaseline; readonly arm: Arm }) => {
  const { status, pass_rate, head_pass_rate, lift, verdict, reason, not_compared, hold_in_both } = baseline
  return (
    <section class="lift">
      <h2>Against the baseline, {baselineName(arm)}</h2>
      <p>
        {lift === null ? (
          <>
            No lift: in the baseline the case is <b>{status}</b>.
          </>
        ) : (
          <>
            Pass rate {formatShare(pass_rate)} → {formatShare(head_pass_rate)}, <b>{pointsText(lift)}</b>
            {verdict !== 'unjudged' && `: ${verdictWords[verdict]}`}
          </>
        )}
      </p>
      {reason !== undefined && (
        <p class="reason">
          <span class="faint">in the baseline:</span> <Line text={reason} max={2000} />
        </p>
      )}
      <Named title="Not compared, since the baseline can't hold it" checks={not_compared} />
      <Named title="Holds in both arms, so shows nothing" checks={hold_in_both} />
    </section>
  )
}

const Named = ({ title, checks }: { readonly title: string; readonly checks: readonly string[] }) =>
  checks.length === 0 ? null : (
    <>
      <p class="faint">{title}:</p>
      <ul>
        {checks.map((name, i) => (
          <li key={i}>
            <Line text={name} />
          </li>
        ))}
      </ul>
    </>
  )
