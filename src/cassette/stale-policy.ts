import { type StaleKind, staleKinds } from '../schema/cassette.ts'

/** What a part that differs does to a replay: `fail` makes it stale, `warn` goes on by turn order and says so. */
export type StaleMode = 'fail' | 'warn' | 'ignore'
export type StalePolicy = Readonly<Record<StaleKind, StaleMode>>
/** As a suite or a configuration writes it: one word for all parts, or by part. */
export type StaleSetting = StaleMode | { readonly [K in StaleKind]?: StaleMode | undefined }

/** The later setting wins, part by part; `fail` where none speaks. */
export const stalePolicy = (...settings: readonly (StaleSetting | undefined)[]): StalePolicy => {
  const policy = {} as Record<StaleKind, StaleMode>
  for (const kind of staleKinds) {
    const said = settings.flatMap((setting) => (typeof setting === 'string' ? setting : (setting?.[kind] ?? [])))
    policy[kind] = said.at(-1) ?? 'fail'
  }
  return policy
}
