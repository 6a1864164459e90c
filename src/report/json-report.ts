import type { Reporter } from '../core/ports.ts'
import { jsonText } from './json-text.ts'
import { headKeys, inOrder, orderedCase, suiteKeys } from './ordered-result.ts'

/**
 * run.json, `skills-eval/run@1`, keys in the documented order. One case a line, so that it can be searched by line
 * and read as a stream; `pretty` indents all of it by two spaces instead.
 */
export const jsonReporter = (options: { readonly pretty?: boolean } = {}): Reporter => {
  const layout = options.pretty ? indented : dense
  let suites = 0
  let cases = 0
  const closeSuite = () => (suites === 0 ? '' : layout.suiteEnd)
  return {
    start: (run) => {
      const head = Object.entries(inOrder(run, headKeys)).map(([key, value]) => `${layout.member(key, value, 1)},\n`)
      return `{\n${head.join('')}${layout.suites}`
    },
    suite: (head) => {
      const before = `${closeSuite()}${suites === 0 ? '' : ','}\n`
      suites++
      cases = 0
      const members = Object.entries(inOrder(head, suiteKeys)).map(([key, value]) => layout.member(key, value, 3))
      return before + layout.suite(members)
    },
    result: (result) => `${cases++ === 0 ? '' : ','}\n${layout.item(orderedCase(result))}`,
    end: () => `${closeSuite()}${layout.end}`,
  }
}

type Layout = {
  /** `"key": value` at a depth. */
  readonly member: (key: string, value: unknown, depth: number) => string
  readonly item: (value: unknown) => string
  readonly suites: string
  readonly suite: (members: readonly string[]) => string
  readonly suiteEnd: string
  readonly end: string
}

const dense: Layout = {
  member: (key, value) => `"${key}":${jsonText(value)}`,
  item: (value) => jsonText(value),
  suites: '"suites":[',
  suite: (members) => `{${members.join(',')},"cases":[`,
  suiteEnd: '\n]}',
  end: '\n]\n}\n',
}

// No line break is inside a string of JSON, so indenting whole lines is safe.
const shifted = (value: unknown, depth: number): string =>
  jsonText(value, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`)

const indented: Layout = {
  member: (key, value, depth) => `${'  '.repeat(depth)}"${key}": ${shifted(value, depth)}`,
  item: (value) => `        ${shifted(value, 4)}`,
  suites: '  "suites": [',
  suite: (members) => `    {\n${members.join(',\n')},\n      "cases": [`,
  suiteEnd: '\n      ]\n    }',
  end: '\n  ]\n}\n',
}
