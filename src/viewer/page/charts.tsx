import type { TriggerSummary } from '../../core/results.ts'
import { formatNumber, formatShare, plural } from '../../report/format-number.ts'
import { histogram, quantileOf } from '../histogram.ts'
import { Scroll } from './scroll.tsx'
import { Line } from './text.tsx'

/** A share from 0 to 1 as a dot, and its interval as a line. The numbers stand beside it. */
export const IntervalPlot = ({
  rate,
  interval,
}: {
  rate: number | null
  interval: readonly [number, number] | null
}) => (
  <svg viewBox="-2 0 104 10" class="interval" aria-hidden="true">
    <line x1="0" x2="100" y1="5" y2="5" class="axis" />
    {interval !== null && <line x1={interval[0] * 100} x2={interval[1] * 100} y1="5" y2="5" class="range" />}
    {rate !== null && <circle cx={rate * 100} cy="5" r="2.6" />}
  </svg>
)

/** A difference from -1 to 1 as a dot, its interval as a line, and where there is none between them. */
export const DifferencePlot = ({
  difference,
  interval,
}: {
  difference: number | null
  interval: readonly [number, number] | null
}) => (
  <svg viewBox="-52 0 104 10" class="interval" aria-hidden="true">
    <line x1="-50" x2="50" y1="5" y2="5" class="axis" />
    <line x1="0" x2="0" y1="0" y2="10" class="axis" />
    {interval !== null && <line x1={interval[0] * 50} x2={interval[1] * 50} y1="5" y2="5" class="range" />}
    {difference !== null && <circle cx={difference * 50} cy="5" r="2.6" />}
  </svg>
)

/** How often each skill was selected where another should have been: right ones on the diagonal. */
export const HeatMap = ({ confusion }: { readonly confusion: TriggerSummary['confusion'] }) => {
  const named = (pick: 'expected' | 'selected') => confusion.map((cell) => cell[pick])
  const all = new Set([...named('expected'), ...named('selected')])
  const names = [...all].sort((a, b) => Number(a === NONE) - Number(b === NONE) || (a < b ? -1 : 1))
  const expected = names.filter((name) => named('expected').includes(name))
  const counts = new Map(confusion.map((cell) => [JSON.stringify([cell.expected, cell.selected]), cell.count]))
  const countOf = (row: string, column: string) => counts.get(JSON.stringify([row, column])) ?? 0
  return (
    <Scroll label="Which skill was selected">
      <table class="heat">
        <caption>Which skill was selected (columns) where which was expected (rows)</caption>
        <thead>
          <tr>
            <th scope="col">expected</th>
            {names.map((name) => (
              <th key={name} scope="col">
                <Line text={name} max={40} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {expected.map((row) => {
            const total = names.reduce((sum, column) => sum + countOf(row, column), 0)
            return (
              <tr key={row}>
                <th scope="row">
                  <Line text={row} max={60} />
                </th>
                {names.map((column) => {
                  const count = countOf(row, column)
                  const kind = count === 0 ? 'none' : row === column ? 'right' : 'wrong'
                  return (
                    <td key={column} class={kind} style={{ '--share': total === 0 ? 0 : count / total }}>
                      {count === 0 ? '·' : formatNumber(count)}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scroll>
  )
}

const NONE = '(none)'

type HistogramProps = {
  readonly title: string
  /** Of the cases of which it is known. */
  readonly values: readonly number[]
  readonly format: (value: number) => string
}

/** How a number is spread over the cases, with its median and 95th percentile, and the same as a table. */
export const Histogram = ({ title, values, format }: HistogramProps) => {
  const bins = histogram(values)
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const [median, high] = [quantileOf(values, 0.5), quantileOf(values, 0.95)]
  if (median === null || high === null) return null
  if (bins.at(-1)?.to === 0) {
    return (
      <figure class="histogram">
        <figcaption>
          {title}{' '}
          <span class="faint">
            {format(0)} for each of {plural(values.length, 'case')}
          </span>
        </figcaption>
      </figure>
    )
  }
  const summary = `median ${format(median)}, 95% at most ${format(high)}`
  return (
    <figure class="histogram">
      <figcaption>
        {title} <span class="faint">{summary}</span>
      </figcaption>
      <svg viewBox={`0 0 ${bins.length * 10} 60`} preserveAspectRatio="none" aria-hidden="true">
        {bins.map(({ from, count }, i) => {
          const height = count === 0 ? 0 : Math.max(1.5, (count / most) * 60)
          return <rect key={from} x={i * 10 + 0.5} y={60 - height} width="9" height={height} />
        })}
      </svg>
      <p class="ends faint" aria-hidden="true">
        <span>0</span>
        <span>{format(bins.at(-1)?.to ?? 0)}</span>
      </p>
      <details>
        <summary>
          as a table<span class="hidden">: {title}</span>
        </summary>
        <table>
          <thead>
            <tr>
              <th scope="col">from</th>
              <th scope="col">to</th>
              <th scope="col" class="number">
                cases
              </th>
              <th scope="col" class="number">
                share
              </th>
            </tr>
          </thead>
          <tbody>
            {bins
              .filter(({ count }) => count > 0)
              .map(({ from, to, count }) => (
                <tr key={from}>
                  <td>{format(from)}</td>
                  <td>{format(to)}</td>
                  <td class="number">{formatNumber(count)}</td>
                  <td class="number">{formatShare(count / values.length)}</td>
                </tr>
              ))}
          </tbody>
        </table>
        <p class="faint">{plural(values.length, 'case')}</p>
      </details>
    </figure>
  )
}
