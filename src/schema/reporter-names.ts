/** What `--reporter` may be told. */
export const reporterNames = ['terminal', 'json', 'jsonl', 'junit', 'html', 'markdown', 'github', 'gitlab'] as const
export type ReporterName = (typeof reporterNames)[number]
