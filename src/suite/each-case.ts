import { setOwn } from '../lib/set-own.ts'
import { recordOr } from './record.ts'
import type { EachCase, Row } from './suite.ts'
import { compileTemplate, compileText } from './template.ts'

export type RowFiller = {
  /** The id as the suite has it, where each row fills it in: `row/{{month}}`. */
  readonly rowsOf: string | undefined
  /** Every column that the case names, each once. */
  readonly columns: readonly string[]
  /** The merged case of the row `n` (from 1), a new map, not yet held against the schema. Throws as `compileTemplate` does. */
  fill(row: Row, n: number): Record<string, unknown>
}

/** Compiles a case with `each`. An id without a placeholder gets `/<n>`; one with stays a text whatever the row holds. */
export const rowFiller = ({ id, template, texts }: Pick<EachCase, 'id' | 'template' | 'texts'>): RowFiller => {
  const { id: _, ...rest } = template
  const body = compileTemplate(rest, texts)
  const name = compileText(id)
  const isNumbered = name.columns.length === 0
  return {
    rowsOf: isNumbered ? undefined : id,
    columns: [...new Set([...name.columns, ...body.columns])],
    fill: (row, n) => {
      const filled: Record<string, unknown> = { id: isNumbered ? `${id}/${n}` : name.fill(row) }
      const values = recordOr(body.fill(row))
      for (const key of Object.keys(values)) setOwn(filled, key, values[key])
      return filled
    },
  }
}
