/**
 * Joins lines until `maxBytes` of UTF-8 are reached; then says that the rest was left out, and reads no further.
 * Only whole lines are left out, so that nothing escaped is cut in two.
 */
export const takeLines = (lines: Iterable<string>, maxBytes: number): string => {
  const note = '… cut here'
  let left = maxBytes - Buffer.byteLength(note)
  const taken: string[] = []
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1
    if (left < 0) return [...taken, note].join('\n')
    taken.push(line)
  }
  return taken.join('\n')
}
