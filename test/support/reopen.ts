import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** As if the latest run had been killed before it came to its end. */
export const reopen = ({ dir }: { readonly dir: string }): void => {
  const path = join(dir, 'reports/latest/run-state.json')
  const { ended: _, ...state } = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify(state))
}
