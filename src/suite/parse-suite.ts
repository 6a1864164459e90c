import type { Diagnostic } from '../core/diagnostic.ts'
import { parseYaml } from '../lib/yaml.ts'
import { diagnosticList } from './diagnostic-list.ts'
import type { Finding } from './finding.ts'
import { MAX_SUITE_BYTES, MAX_SUITE_DEPTH } from './limits.ts'
import { describeValue } from './plain-words.ts'
import { readSuite } from './read-suite.ts'
import { isRecord } from './record.ts'
import type { Suite } from './suite.ts'

export { MAX_SUITE_BYTES }

export type ParsedSuite = { readonly suite: Suite | undefined; readonly diagnostics: readonly Diagnostic[] }

/**
 * Reads the text of a suite file: the suite, with warnings, or undefined with all that is wrong. `file` is what
 * diagnostics call it, relative to the project; without a `name` of its own the suite is called after it. Nothing but
 * the text is looked at: see `checkSuite` for what it says about other files.
 */
export const parseSuite = async (text: string, { file }: { readonly file: string }): Promise<ParsedSuite> => {
  const yaml = parseYaml(text, { file, maxBytes: MAX_SUITE_BYTES, maxDepth: MAX_SUITE_DEPTH, codePrefix: 'suite' })
  if (!yaml.ok) return { suite: undefined, diagnostics: yaml.diagnostics }
  const { value: root = null, positions } = yaml
  const list = diagnosticList(file)
  const report = (finding: Finding): void => {
    list.add(finding, finding.at === 'key' ? positions.key(finding.path) : positions.at(finding.path))
  }
  if (root !== null && !isRecord(root)) {
    const message = `a suite is a map with \`cases\`, got ${describeValue(root)}`
    report({ path: [], at: 'value', code: 'type', message })
    return { suite: undefined, diagnostics: list.toDiagnostics() }
  }
  const suite = await readSuite(root ?? {}, {
    file,
    report,
    isFull: list.isFull,
    skip: list.skip,
    hasErrors: list.hasErrors,
    lineOf: (path) => positions.at(path).line,
  })
  return { suite: list.hasErrors() ? undefined : suite, diagnostics: list.toDiagnostics() }
}
