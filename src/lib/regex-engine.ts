import { SkillsEvalError } from '../core/errors.ts'
import { withinDeadline } from './deadline.ts'
import { translateRegex } from './regex-translate.ts'
import { visibleLine } from './visible.ts'

export type SafeRegex = {
  readonly source: string
  /** Whether the text has a match. Throws a RegexTimeout when that takes longer than 250 ms to find out. */
  test(text: string): boolean
}

/** A pattern could not be decided on a text in time: neither a match nor none. */
export class RegexTimeout extends SkillsEvalError {
  constructor(source: string) {
    super(
      'regex_timeout',
      `whether ${visibleLine(source, 80)} matches takes longer than ${TIMEOUT_MS} ms to find out`,
      {
        hint: 'Use a simpler pattern, without look-ahead, back-references or nested repetitions.',
      },
    )
  }
}

export const TIMEOUT_MS = 250
/** Below, even the slowest way through the linear engine is quick, and a watchdog would cost more. */
const SHORT_TEXT = 10_000
const LINE_ENDS_BUT_NEWLINE = /[\r\u2028\u2029]/

/**
 * Loads the linear-time engine. What it gives compiles a pattern body with flags (i m s g u) and throws a SyntaxError
 * for one that is not valid; patterns that the engine has no words for run natively, with a watchdog.
 */
export const loadRegexEngine = async (): Promise<(body: string, flags: string) => SafeRegex> => {
  const { RE2JS } = await import('re2js')

  const linearTest = (body: string, flags: string, native: RegExp): Test | undefined => {
    const has = (flag: string) => flags.includes(flag)
    const pattern = translateRegex(body, { i: has('i'), m: has('m'), s: has('s'), u: has('u') })
    if (pattern === undefined) return undefined
    const compile = () => RE2JS.compile(pattern.source, RE2JS.LOOKBEHINDS)
    let engine = compiledInTime(compile)
    if (engine === undefined) return undefined

    return (text) => {
      // To RE2 only a newline ends a line.
      if (pattern.hasLineAnchors && LINE_ENDS_BUT_NEWLINE.test(text)) return watchedTest(native, text)
      engine ??= compile()
      if (text.length <= SHORT_TEXT) return engine.test(text)
      const interruptible = engine
      // If it is interrupted its tables may be half written: the next text gets a new one.
      engine = undefined
      const found = watched(() => interruptible.test(text))
      if (found !== 'undecided') engine = interruptible
      return found
    }
  }

  return (body, flags) => {
    const native = new RegExp(body, flags.replaceAll('g', ''))
    const decide = linearTest(body, flags, native) ?? ((text: string) => watchedTest(native, text))
    return {
      source: `/${body}/${flags}`,
      test(text) {
        const found = decide(text)
        if (found === 'undecided') throw new RegexTimeout(`/${body}/${flags}`)
        return found
      },
    }
  }
}

type Test = (text: string) => boolean | 'undecided'

const watchedTest = (native: RegExp, text: string): boolean | 'undecided' => watched(() => native.test(text))

const watched = (test: () => boolean): boolean | 'undecided' => {
  try {
    const result = withinDeadline(TIMEOUT_MS, test)
    return result.ok ? result.value : 'undecided'
  } catch (error) {
    // The native engine ran out of room for its backtracking.
    if (error instanceof RangeError) return 'undecided'
    throw error
  }
}

const compiledInTime = <T>(compile: () => T): T | undefined => {
  try {
    const result = withinDeadline(TIMEOUT_MS, compile)
    return result.ok ? result.value : undefined
  } catch (error) {
    // A syntax that the engine lacks, or a repetition that it finds too large.
    if (error instanceof Error) return undefined
    throw error
  }
}
