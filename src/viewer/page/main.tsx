import { render } from 'preact'
import type { ListedRow } from '../filter-rows.ts'
import { App } from './app.tsx'
import { openData, type ReportData } from './read-blocks.ts'

/** The program of report.html: reads the data that is in the page, and shows it. */
const start = async (root: HTMLElement): Promise<void> => {
  let data: ReportData
  try {
    data = await openData()
  } catch (error) {
    render(<Damaged problem={String(error)} />, root)
    return
  }
  let rows: readonly ListedRow[] | undefined
  let isPrinted = false
  const draw = () => render(<App data={data} rows={rows} isPrinted={isPrinted} />, root)
  draw()
  // Paper has no rows out of view, and nothing to open.
  const opened = new Set<HTMLDetailsElement>()
  addEventListener('beforeprint', () => {
    isPrinted = true
    draw()
    for (const closed of document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')) {
      closed.open = true
      opened.add(closed)
    }
  })
  addEventListener('afterprint', () => {
    for (const one of opened) one.open = false
    opened.clear()
    isPrinted = false
    draw()
  })
  try {
    rows = await data.rows
  } catch (error) {
    render(<Damaged problem={String(error)} />, root)
    return
  }
  draw()
}

const Damaged = ({ problem }: { readonly problem: string }) => (
  <main>
    <h1>This report can't be shown</h1>
    <p>{problem}. It may have been cut off, or the browser is too old. The same result is in run.json beside it.</p>
  </main>
)

const root = document.getElementById('report')
if (root !== null) {
  root.textContent = ''
  void start(root)
}
