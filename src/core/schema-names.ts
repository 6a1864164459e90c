/** The formats that `skills-eval schema` prints, and that schemas/ holds. */
export const schemaNames = [
  'suite',
  'run',
  'cassette',
  'config',
  'compare',
  'calibration',
  'coverage',
  'audit',
  'feedback',
  'scan',
  'manifest',
  'lock',
  'agent-event',
  'hub',
  'hub-source',
  'proof',
] as const
export type SchemaName = (typeof schemaNames)[number]
