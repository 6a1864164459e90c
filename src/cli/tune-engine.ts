import { setFlagsFromString } from 'node:v8'

/** The engines whose flags these are; an unknown flag would be an error message on stderr. */
const KNOWN = { from: 11, to: 14 }

/**
 * Makes V8 optimize later and inline less. A run lasts a second or two, of which the optimizing compiler would take a
 * third, on its own thread: that is somebody's CPU where two cores serve a CI machine. See docs/benchmarks.md.
 */
export const tuneEngine = (): void => {
  const major = Number.parseInt(process.versions.v8, 10)
  if (major < KNOWN.from || major > KNOWN.to) return
  setFlagsFromString('--interrupt-budget=90000')
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=400')
}
