import { shownJson } from '../report/json-text.ts'
import type { ActionResult, CheckResult } from '../schema/run.ts'
import { findQuote, type Mark } from './find-quote.ts'
import { rubricResults } from './rubric-results.ts'

/** A quote of a judge that was believed; `name` is that of its mark, after its check and criterion. */
export type Quote = {
  readonly name: string
  readonly text: string
  /** It is of a file: the answer need not have it. */
  readonly isOfFile: boolean
}

export const markName = (check: number, criterion: number): string => `${check}.${criterion + 1}`

export const isOfFile = ({ place = '' }: Pick<CheckResult, 'place'>): boolean => place.startsWith('files')

export const believedQuotes = (checks: readonly CheckResult[]): readonly Quote[] =>
  checks.flatMap((check, at) =>
    rubricResults(check).flatMap(({ verdicts }, criterion) =>
      verdicts.flatMap(({ quote, passed, isUnsupported }) =>
        passed && !isUnsupported ? [{ name: markName(at, criterion), text: quote, isOfFile: isOfFile(check) }] : [],
      ),
    ),
  )

/** Where they stand in a text. */
export const marksIn = (text: string, quotes: readonly Quote[]): readonly Mark[] =>
  quotes.flatMap((quote) => {
    const place = findQuote(text, quote.text)
    return place === undefined ? [] : [{ ...place, name: quote.name }]
  })

/** What is shown of the parameters of an action: texts of several lines as they are, the rest as JSON. */
export const shownParams = (
  params: ActionResult['params'],
): { readonly json: string | undefined; readonly texts: readonly (readonly [name: string, text: string])[] } => {
  const texts = Object.entries(params).filter((entry): entry is [string, string] => isLong(entry[1]))
  const rest = Object.fromEntries(Object.entries(params).filter(([, value]) => !isLong(value)))
  return { json: Object.keys(rest).length === 0 ? undefined : shownJson(rest, 2), texts }
}

const isLong = (value: unknown): boolean => typeof value === 'string' && value.includes('\n')

/** All texts that are shown of actions, those of sub-agents with them. */
export function* shownTexts(actions: readonly ActionResult[]): Generator<string> {
  for (const { params, observation, actions: nested = [] } of actions) {
    const { json, texts } = shownParams(params)
    if (json !== undefined) yield json
    for (const [, text] of texts) yield text
    yield observation
    yield* shownTexts(nested)
  }
}
