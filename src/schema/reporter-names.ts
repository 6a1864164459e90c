/** What `--reporter` may be told. */
export const reporterNames = ['terminal', 'json', 'jsonl', 'junit', 'html', 'markdown', 'github'] as const
export type ReporterName = (typeof reporterNames)[number]
