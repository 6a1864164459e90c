import { execFileSync } from 'node:child_process'

/** The program is tested as it ships: built once, before the first test. */
export const setup = (): void => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
}
