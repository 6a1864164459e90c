/** What is done with the recordings of a model: see docs/cassettes.md. */
export const recordModes = ['replay', 'missing', 'stale', 'all', 'off'] as const
export type RecordMode = (typeof recordModes)[number]
