import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** As if the run had been killed before it came to its end. */
export const reopen = ({ dir }: { readonly dir: string }, run = 'latest'): void => {
  const path = join(dir, 'reports', run, 'run-state.json')
  const { ended: _, ...state } = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify(state))
}
