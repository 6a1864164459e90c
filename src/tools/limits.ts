/** Bounds of what one action may bring into the conversation. Each is named in the observation that it cuts. */
export const toolLimits = {
  readBytes: 256 * 1024,
  /** Of larger files only the head is known: finding a line means reading all before it. */
  readLinesBytes: 8 * 1024 * 1024,
  listEntries: 1000,
  grepMatches: 200,
  grepFiles: 10_000,
  grepFileBytes: 1024 * 1024,
  grepBytes: 64 * 1024 * 1024,
  grepLineChars: 300,
  grepMs: 5000,
  outputBytes: 64 * 1024,
  writeBytes: 4 * 1024 * 1024,
  requestSeconds: 30,
  requestBytes: 1024 * 1024,
  requestHeaderBytes: 8 * 1024,
  redirects: 5,
  urlChars: 8 * 1024,
} as const
