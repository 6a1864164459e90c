import { countsText, gateRows, numberRows, verdictLines } from '../../report/compare-tables.ts'
import { formatShare, UNKNOWN } from '../../report/format-number.ts'
import type { ComparedCase, Comparison } from '../../schema/compare.ts'
import { caseAddress, caseKey } from '../route.ts'
import { RowsTable } from './rows-table.tsx'
import { Scroll } from './scroll.tsx'
import { Line } from './text.tsx'

const MAX_CASES = 1_000
const ranks: Readonly<Record<ComparedCase['change'], number>> = {
  broken: 0,
  gone: 1,
  unjudged: 2,
  new: 3,
  fixed: 4,
  unchanged: 5,
}

/** This run against another: the verdict and what it stands on, the numbers, the gates, and every case that changed. */
export const ComparisonPage = ({ comparison }: { readonly comparison: Comparison }) => {
  const [title = '', ...rest] = verdictLines(comparison)
  const numbers = numberRows(comparison)
  const gates = gateRows(comparison)
  const moved = comparison.cases
    .filter(({ change, difference }) => change !== 'unchanged' || (difference ?? 0) !== 0)
    .sort((a, b) => ranks[a.change] - ranks[b.change])
  return (
    <>
      <h1 tabIndex={-1}>{title}</h1>
      {rest.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>
        <span class="faint">base</span> <Line text={comparison.base.id} /> <span class="faint">this run</span>{' '}
        <Line text={comparison.head.id} />: {countsText(comparison)}
      </p>
      {gates.rows.length > 0 && <RowsTable caption="Gates" rows={gates} />}
      {numbers.rows.length > 0 && <RowsTable caption="What else changed" rows={numbers} />}
      <section>
        <h2>Cases that changed</h2>
        {moved.length === 0 ? <p>None.</p> : <Changes cases={moved.slice(0, MAX_CASES)} />}
        {moved.length > MAX_CASES && <p>… and {moved.length - MAX_CASES} more</p>}
      </section>
    </>
  )
}

const tones: Readonly<Partial<Record<ComparedCase['change'], string>>> = {
  broken: 'bad',
  gone: 'warn',
  unjudged: 'warn',
  new: 'warn',
  fixed: 'good',
}

const Changes = ({ cases }: { readonly cases: readonly ComparedCase[] }) => (
  <Scroll label="Cases that changed">
    <table>
      <caption>Each links to both runs side by side</caption>
      <thead>
        <tr>
          {['change', 'case', 'model', 'base', 'this run'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {cases.map((one) => (
          <tr key={caseKey(one)}>
            <td class={tones[one.change]}>{one.change}</td>
            <th scope="row">
              <a href={caseAddress(caseKey(one))}>
                <Line text={`${one.suite}/${one.id}`} max={120} />
              </a>
              {one.golden && <span class="note"> golden</span>}
            </th>
            <td>
              <Line text={one.model} max={60} />
            </td>
            <td>{sideText(one.base)}</td>
            <td>{sideText(one.head)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)

const sideText = (side: ComparedCase['base']): string => {
  if (side === null) return UNKNOWN
  return side.trials > 1 ? `${side.status} ${formatShare(side.pass_rate)} of ${side.trials}` : side.status
}
