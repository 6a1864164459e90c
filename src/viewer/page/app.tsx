import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { visibleLine } from '../../lib/visible.ts'
import { formatNumber } from '../../report/format-number.ts'
import type { ListedRow } from '../filter-rows.ts'
import { casesAddress, noQuery, parseRoute, type Query, type Route } from '../route.ts'
import { CaseList } from './case-list.tsx'
import { CasePage } from './case-page.tsx'
import { ComparisonPage } from './comparison.tsx'
import { FeedbackPage, useFeedback } from './feedback.tsx'
import { Guard } from './guard.tsx'
import { Help } from './help.tsx'
import { Overview } from './overview.tsx'
import type { ReportData } from './read-blocks.ts'
import { Line } from './text.tsx'
import { ThemeButton } from './theme.tsx'
import { useKeys } from './use-keys.ts'

type Props = {
  readonly data: ReportData
  /** Undefined until they are unpacked. */
  readonly rows: readonly ListedRow[] | undefined
  readonly isPrinted: boolean
}

export const App = ({ data, rows, isPrinted }: Props) => {
  const [route, setRoute] = useState<Route>(() => parseRoute(location.hash))
  const [query, setQuery] = useState<Query>(() => (route.page === 'cases' ? route.query : noQuery))
  const [isHelpShown, setHelpShown] = useState(false)
  const lastKey = useRef<string | undefined>(undefined)
  const main = useRef<HTMLElement>(null)
  const isFilterWanted = useRef(false)
  const { run } = data.head
  const feedback = useFeedback(run.id)
  const follow = () => {
    const next = parseRoute(location.hash)
    setRoute(next)
    if (next.page === 'cases') setQuery(next.query)
  }
  useEffect(() => {
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  // The browser tells of a new address later than the next key may come.
  const goTo = (address: string) => {
    location.hash = address
    follow()
  }
  const title = titleOf(route, rows)
  useEffect(() => {
    document.title = `${title} · skills-eval ${visibleLine(run.id, 60)}`
  }, [title, run.id])
  const place = route.page === 'case' ? route.key : route.page
  useArrival(place, main, route.page === 'cases' && (lastKey.current !== undefined || isFilterWanted.current))
  if (route.page === 'case') lastKey.current = route.key
  const change = (next: Query) => {
    setQuery(next)
    setRoute({ page: 'cases', query: next })
    // Typing makes no steps to go back through.
    history.replaceState(null, '', casesAddress(next))
  }
  useKeys({
    '?': () => setHelpShown(true),
    o: () => goTo('#/'),
    c: () => goTo(casesAddress(query)),
    ...(route.page === 'cases'
      ? {}
      : {
          '/': (event) => {
            event.preventDefault()
            isFilterWanted.current = true
            goTo(casesAddress(query))
          },
        }),
  })
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <p class="name">
          <a href="#/">skills-eval</a>{' '}
          <span class="faint">
            <Line text={run.id} max={60} />
          </span>
        </p>
        <nav aria-label="Report">
          <Tab href="#/" isCurrent={route.page === 'overview'} title="Overview" />
          <Tab
            href={casesAddress(query)}
            isCurrent={route.page === 'cases' || route.page === 'case'}
            title={`Cases ${formatNumber(run.summary.cases)}`}
          />
          {data.head.comparison !== undefined && (
            <Tab href="#/comparison" isCurrent={route.page === 'comparison'} title="Comparison" />
          )}
          <Tab href="#/feedback" isCurrent={route.page === 'feedback'} title="Feedback" />
        </nav>
        <ThemeButton />
        <button type="button" onClick={() => setHelpShown(true)}>
          Keys
        </button>
      </header>
      <main ref={main} id="content" tabIndex={-1}>
        <Guard key={place}>{pageOf()}</Guard>
      </main>
      {isHelpShown && <Help onClose={() => setHelpShown(false)} />}
    </>
  )

  function pageOf() {
    if (route.page === 'overview') return <Overview data={data} rows={rows} />
    if (route.page === 'feedback') return <FeedbackPage run={run.id} feedback={feedback} />
    if (route.page === 'comparison') {
      const { comparison } = data.head
      return comparison === undefined ? <NotCompared /> : <ComparisonPage comparison={comparison} />
    }
    if (rows === undefined) return <p class="faint">Reading the cases …</p>
    if (route.page === 'cases') {
      return (
        <CaseList
          run={run}
          rows={rows}
          query={route.query}
          lastKey={lastKey.current}
          isFilterWanted={isFilterWanted}
          isPrinted={isPrinted}
          onQuery={change}
        />
      )
    }
    return (
      <CasePage
        data={data}
        rows={rows}
        wanted={route.key}
        trial={route.trial}
        feedback={feedback}
        back={casesAddress(query)}
      />
    )
  }
}

const Tab = ({
  href,
  isCurrent,
  title,
}: {
  readonly href: string
  readonly isCurrent: boolean
  readonly title: string
}) => (
  <a href={href} aria-current={isCurrent ? 'page' : undefined}>
    {title}
  </a>
)

const NotCompared = () => (
  <>
    <h1 tabIndex={-1}>Not compared</h1>
    <p>
      <code>skills-eval compare BASE --reporter html=FILE</code> makes a report of two runs.
    </p>
  </>
)

const titleOf = (route: Route, rows: readonly ListedRow[] | undefined): string => {
  switch (route.page) {
    case 'overview':
      return 'Overview'
    case 'cases':
      return 'Cases'
    case 'comparison':
      return 'Comparison'
    case 'feedback':
      return 'Feedback'
    case 'case':
      return visibleLine(rows?.find(({ key }) => key === route.key)?.id ?? 'Case', 80)
  }
}

/** Another page starts at its heading, for the eye and for a screen reader; the list goes back to the row it was left at. */
const useArrival = (place: string, main: { readonly current: HTMLElement | null }, isBack: boolean): void => {
  const before = useRef(place)
  useLayoutEffect(() => {
    if (before.current === place) return
    before.current = place
    scrollTo(0, 0)
    if (!isBack) (main.current?.querySelector<HTMLElement>('h1') ?? main.current)?.focus({ preventScroll: true })
  }, [place, isBack, main])
}
