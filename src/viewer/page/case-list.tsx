import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RunHead, Status } from '../../core/results.ts'
import { visibleLine } from '../../lib/visible.ts'
import { pointsText } from '../../report/compare-tables.ts'
import { formatCost, formatDuration, formatNumber, plural, UNKNOWN } from '../../report/format-number.ts'
import { filterRows, type ListedRow, nextSort, notesOf } from '../filter-rows.ts'
import { caseAddress, noQuery, type Query } from '../route.ts'
import { StatusWord } from './status.tsx'
import { Line } from './text.tsx'
import { useKeys } from './use-keys.ts'

type Props = {
  readonly run: RunHead
  readonly rows: readonly ListedRow[]
  readonly query: Query
  /** The case that the list was left for: it is the current one again. */
  readonly lastKey: string | undefined
  /** Set where a key on another page asked for the filter; cleared when it has the focus. */
  readonly isFilterWanted: { current: boolean }
  readonly isPrinted: boolean
  onQuery(query: Query): void
}

/** All cases, filtered and sorted; only the rows in view are in the page. */
export const CaseList = ({ run, rows, query, lastKey, isFilterWanted, isPrinted, onQuery }: Props) => {
  const listed = useMemo(() => filterRows(rows, query), [rows, query])
  const [current, setCurrent] = useState(() =>
    Math.max(
      0,
      listed.findIndex(({ key }) => key === lastKey),
    ),
  )
  const at = Math.min(current, Math.max(0, listed.length - 1))
  const filter = useRef<HTMLInputElement>(null)
  // Counts how often the current row was asked to have the focus.
  const [request, setRequest] = useState(lastKey === undefined || isFilterWanted.current ? 0 : 1)
  useLayoutEffect(() => {
    if (isFilterWanted.current) filter.current?.focus()
  }, [isFilterWanted])
  // After the page that it is part of has looked.
  useEffect(() => {
    isFilterWanted.current = false
  }, [isFilterWanted])
  const go = (index: number) => {
    setCurrent(Math.max(0, Math.min(listed.length - 1, index)))
    setRequest(request + 1)
  }
  const move = (by: number) => (event: KeyboardEvent) => {
    event.preventDefault()
    go(at + by)
  }
  useKeys({
    j: move(1),
    ArrowDown: move(1),
    k: move(-1),
    ArrowUp: move(-1),
    PageDown: move(20),
    PageUp: move(-20),
    Home: move(Number.NEGATIVE_INFINITY),
    End: move(Number.POSITIVE_INFINITY),
    Enter: (event) => {
      // A link or a button that has the focus knows what to do itself.
      if (event.target instanceof Element && event.target.closest('a, button, input, select')) return
      const row = listed[at]
      if (row !== undefined) location.hash = caseAddress(row.key)
    },
    '/': (event) => {
      event.preventDefault()
      filter.current?.focus()
    },
    Escape: () => {
      if (document.activeElement === filter.current && query.text === '') filter.current?.blur()
      else if (document.activeElement === filter.current) onQuery({ ...query, text: '' })
    },
  })
  return (
    <div class="cases">
      <h1 tabIndex={-1}>Cases</h1>
      <Filters run={run} rows={rows} query={query} onQuery={onQuery} field={filter} />
      <p role="status" class="faint">
        {listed.length === rows.length
          ? plural(rows.length, 'case')
          : `${formatNumber(listed.length)} of ${plural(rows.length, 'case')}`}
      </p>
      <Rows
        listed={listed}
        query={query}
        current={at}
        request={request}
        isPrinted={isPrinted}
        columns={run.baseline === undefined ? columns : [...columns, liftColumn]}
        onSort={(column) => onQuery({ ...query, sort: nextSort(query.sort, column) })}
        onCurrent={setCurrent}
      />
    </div>
  )
}

const statuses: readonly Status[] = ['failed', 'error', 'stale', 'skipped', 'passed']

type FilterProps = Pick<Props, 'run' | 'rows' | 'query' | 'onQuery'> & {
  readonly field: { readonly current: HTMLInputElement | null }
}

const Filters = ({ run, rows, query, onQuery, field }: FilterProps) => {
  const choices = useMemo(() => {
    const distinct = (pick: (row: ListedRow) => readonly string[]) => [...new Set(rows.flatMap(pick))].sort()
    return {
      suite: run.suites.map(({ name }) => name),
      model: distinct(({ model }) => [model]),
      tag: distinct(({ tags }) => tags),
      skill: distinct(({ skills }) => skills),
    }
  }, [run, rows])
  const toggle = (status: Status) => {
    const others = query.statuses.filter((one) => one !== status)
    onQuery({ ...query, statuses: others.length < query.statuses.length ? others : [...others, status] })
  }
  return (
    <search class="filters">
      <label>
        <span>Filter</span>
        <input
          ref={field}
          type="search"
          value={query.text}
          onInput={(event) => onQuery({ ...query, text: event.currentTarget.value })}
        />
      </label>
      <fieldset>
        <legend class="hidden">Status</legend>
        {statuses.map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={query.statuses.includes(status)}
            onClick={() => toggle(status)}
          >
            <StatusWord status={status} />
          </button>
        ))}
      </fieldset>
      {(['suite', 'model', 'tag', 'skill'] as const).map(
        (name) =>
          choices[name].length > (name === 'suite' || name === 'model' ? 1 : 0) && (
            <label key={name}>
              <span>{name}</span>
              <select
                value={query[name]}
                onChange={(event) => onQuery({ ...query, [name]: event.currentTarget.value })}
              >
                <option value="">all</option>
                {choices[name].map((choice) => (
                  <option key={choice} value={choice}>
                    {visibleLine(choice, 60)}
                  </option>
                ))}
              </select>
            </label>
          ),
      )}
      <button type="button" onClick={() => onQuery({ ...noQuery, sort: query.sort })}>
        Clear
      </button>
    </search>
  )
}

type RowsProps = {
  readonly listed: readonly ListedRow[]
  readonly query: Query
  readonly current: number
  readonly request: number
  readonly isPrinted: boolean
  readonly columns: readonly (readonly [name: string, title: string, side: string])[]
  onSort(column: string): void
  onCurrent(index: number): void
}

const ROW_HEIGHT = 30
const BEYOND = 10
const PRINTED = 2_000

const columns = [
  ['status', 'status', ''],
  ['case', 'case', ''],
  ['model', 'model', ''],
  ['trials', 'trials', 'number'],
  ['tokens', 'tokens', 'number'],
  ['cost', 'cost', 'number'],
  ['latency', 'latency', 'number'],
] as const
const liftColumn = ['lift', 'lift', 'number'] as const

const Rows = ({ listed, query, current, request, isPrinted, columns, onSort, onCurrent }: RowsProps) => {
  const view = useRef<HTMLDivElement>(null)
  const [{ top, height }, setScroll] = useState({ top: 0, height: 800 })
  const measure = () => {
    if (view.current !== null) setScroll({ top: view.current.scrollTop, height: view.current.clientHeight })
  }
  useEffect(() => {
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
  // A shorter list may end above what was in view.
  useLayoutEffect(measure, [listed])
  const from = isPrinted ? 0 : Math.max(0, Math.floor(top / ROW_HEIGHT) - BEYOND)
  const to = isPrinted ? PRINTED : Math.ceil((top + height) / ROW_HEIGHT) + BEYOND
  const end = Math.min(listed.length, to)
  const start = Math.min(from, end)
  const isFocusDue = useRef(false)
  useLayoutEffect(() => {
    if (request === 0 || view.current === null) return
    isFocusDue.current = true
    const head = view.current.querySelector('thead')?.clientHeight ?? 0
    const [upper, lower] = [current * ROW_HEIGHT, (current + 1) * ROW_HEIGHT + head]
    const { scrollTop, clientHeight } = view.current
    if (upper < scrollTop) view.current.scrollTop = upper
    else if (lower > scrollTop + clientHeight) view.current.scrollTop = lower - clientHeight
  }, [request])
  // A row far away is there only after it was scrolled to.
  useLayoutEffect(() => {
    const link = isFocusDue.current ? view.current?.querySelector<HTMLElement>('tr[aria-current] a') : null
    if (!link) return
    isFocusDue.current = false
    link.focus({ preventScroll: true })
  })
  return (
    <div class="rows" ref={view} onScroll={measure}>
      <table aria-rowcount={listed.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(([name, title, side]) => (
              <th key={name} scope="col" class={`col-${name} ${side}`} aria-sort={sortOf(query.sort, name)}>
                <button type="button" onClick={() => onSort(name)}>
                  {title}
                  <span aria-hidden="true">{arrowOf(query.sort, name)}</span>
                </button>
              </th>
            ))}
            <th scope="col" class="col-why">
              why
            </th>
          </tr>
        </thead>
        <tbody>
          <Gap rows={start} />
          {listed.slice(start, end).map((row, i) => (
            <Row
              key={row.index}
              row={row}
              index={start + i}
              isCurrent={start + i === current}
              hasLift={columns.some(([name]) => name === 'lift')}
              onFocus={() => onCurrent(start + i)}
            />
          ))}
          <Gap rows={isPrinted ? 0 : listed.length - end} />
        </tbody>
      </table>
    </div>
  )
}

/** Stands for rows that are out of view. */
const Gap = ({ rows }: { readonly rows: number }) =>
  rows > 0 ? (
    <tr class="gap">
      <td style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  ) : null

type RowProps = {
  readonly row: ListedRow
  readonly index: number
  readonly isCurrent: boolean
  readonly hasLift: boolean
  onFocus(): void
}

const Row = ({ row, index, isCurrent, hasLift, onFocus }: RowProps) => {
  const { status, suiteName, id, model, passed, usable, trials, tokens, cost, latency, reason } = row
  const notes = notesOf(row)
  return (
    <tr aria-rowindex={index + 2} aria-current={isCurrent ? 'true' : undefined}>
      <td class="col-status">
        <StatusWord status={status} />
      </td>
      <td class="col-case">
        <a href={caseAddress(row.key)} tabIndex={isCurrent ? 0 : -1} onFocus={onFocus}>
          <Line text={`${suiteName}/${id}`} max={160} />
        </a>
        {notes.length > 0 && <span class="note"> {notes.join(', ')}</span>}
      </td>
      <td class="col-model">
        <Line text={model} max={60} />
      </td>
      <td class="number">{trials === 0 ? UNKNOWN : `${passed}/${usable}`}</td>
      <td class="number">{tokens === null ? UNKNOWN : formatNumber(tokens)}</td>
      <td class="number">{formatCost(cost)}</td>
      <td class="number">{latency === null ? UNKNOWN : formatDuration(latency)}</td>
      {hasLift && (
        <td class={(row.lift ?? 0) < 0 ? 'number bad' : 'number'}>
          {pointsText(row.lift ?? null).replace(/ points?$/, '')}
        </td>
      )}
      <td class="col-why">
        <Line text={reason} max={200} />
      </td>
    </tr>
  )
}

const sortOf = (sort: string, column: string) =>
  sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none'

const arrowOf = (sort: string, column: string): string => (sort === column ? ' ↑' : sort === `-${column}` ? ' ↓' : '')
