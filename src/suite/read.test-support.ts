import type { Diagnostic } from '../core/diagnostic.ts'
import { parseSuite } from './parse-suite.ts'
import type { Suite } from './suite.ts'

/** A diagnostic on one line: `8:13 suite/range message → hint`. */
export const tell = ({ line, column, code, message, hint }: Diagnostic): string =>
  `${line ?? '?'}:${column ?? '?'} ${code} ${message}${hint === undefined ? '' : ` → ${hint}`}`

/** Reads the text of a suite called evals/t.eval.yaml. */
export const read = async (text: string): Promise<{ suite: Suite | undefined; told: string[] }> => {
  const { suite, diagnostics } = await parseSuite(text, { file: 'evals/t.eval.yaml' })
  return { suite, told: diagnostics.map(tell) }
}

/** The suite of a text in which nothing is wrong. */
export const readValid = async (text: string): Promise<Suite> => {
  const { suite, told } = await read(text)
  if (suite === undefined || told.length > 0) throw new Error(`not valid:\n${told.join('\n')}`)
  return suite
}
