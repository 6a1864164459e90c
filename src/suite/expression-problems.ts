/** What a suite holds that is written in a language of its own. */
export type Expression =
  | { readonly kind: 'regex' | 'json_path'; readonly source: string }
  | { readonly kind: 'json_schema'; readonly source: unknown }

export type ExpressionProblems = {
  /**
   * What is wrong with an expression; undefined where nothing is, and where it is not known before `settle`. Each is
   * compiled once, however often it is asked for.
   */
  of(expression: Expression): string | undefined
  /** Compiles what was asked for and is not known. True where there was something: ask again. */
  settle(): Promise<boolean>
  /** Forgets, where too much is held. For between two cases: within one, the answers to all that it asked must stay. */
  trim(): void
}

/** How many answers are kept: rows of a large file may each bring an expression of their own. */
const LIMIT = 10_000

/** Nothing is known yet, and no compiler is loaded before something needs it. */
export const expressionProblems = (): ExpressionProblems => {
  const known = { regex: new Map(), json_path: new Map(), json_schema: new Map() } satisfies Record<
    Expression['kind'],
    Map<unknown, string | undefined>
  >
  const asked: Expression[] = []
  return {
    of: (expression) => {
      const { kind, source } = expression
      if (!known[kind].has(source)) asked.push(expression)
      return known[kind].get(source)
    },
    settle: async () => {
      if (asked.length === 0) return false
      for (const expression of asked.splice(0))
        known[expression.kind].set(expression.source, await problemOf(expression))
      return true
    },
    trim: () => {
      for (const answers of Object.values(known)) if (answers.size > LIMIT) answers.clear()
    },
  }
}

const problemOf = async ({ kind, source }: Expression): Promise<string | undefined> => {
  switch (kind) {
    case 'regex': {
      const { isValidRegex } = await import('../lib/regex.ts')
      return isValidRegex(source)
    }
    case 'json_path': {
      const { loadJsonPath } = await import('../lib/json-path.ts')
      return (await loadJsonPath()).check(source)
    }
    case 'json_schema': {
      const { loadJsonSchema } = await import('../lib/json-schema.ts')
      const compiled = (await loadJsonSchema()).compile(source)
      return compiled.ok ? undefined : `${compiled.pointer === '' ? '' : `${compiled.pointer} `}${compiled.message}`
    }
  }
}
