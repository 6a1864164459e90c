import type { Rows } from '../../report/summary-tables.ts'
import { Scroll } from './scroll.tsx'

/** A table that the terminal and Markdown reports have too. Its texts are already safe to show. */
export const RowsTable = ({ caption, rows }: { readonly caption: string; readonly rows: Rows }) => (
  <Scroll label={caption}>
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {rows.columns.map(({ title, align }, i) => (
            <th key={i} scope="col" class={align === 'left' ? '' : 'number'}>
              {title === '' ? <span class="hidden">result</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.rows.map((cells, i) => (
          <tr key={i}>
            {cells.map((cell, column) => {
              const { text, tone } = typeof cell === 'string' ? { text: cell, tone: '' } : cell
              const { align, shrinks } = rows.columns[column] ?? {}
              const side = align !== 'left' ? 'number' : shrinks === undefined ? 'whole' : ''
              return (
                <td key={column} class={`${side} ${tone}`}>
                  <bdi>{text}</bdi>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
