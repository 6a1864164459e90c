import { loadJsonPath } from '../lib/json-path.ts'
import { loadMarkdown } from '../lib/markdown.ts'

/** Remembers what was loaded: an engine keeps what it has compiled. */
const once = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

/** Engines that only some checks need, each loaded by the first that does. */
export const jsonPathEngine = once(loadJsonPath)
export const markdownEngine = once(loadMarkdown)
