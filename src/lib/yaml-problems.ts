import type { ErrorCode, LineCounter } from 'yaml'
import type { Diagnostic } from '../core/diagnostic.ts'
import { visibleLine } from './visible.ts'

type OwnFault =
  | 'too-large'
  | 'too-deep'
  | 'too-many-keys'
  | 'duplicate-key'
  | 'empty-key'
  | 'alias'
  | 'further-document'

/** Something wrong at an offset of the text, by the parser's own code or one of ours. */
export type YamlProblem = {
  readonly fault: ErrorCode | OwnFault
  readonly offset: number
  readonly detail: string
}

/** More would only bury the first one. */
export const MOST_YAML_DIAGNOSTICS = 20

/** The problems as diagnostics in the order of the text, one for each code and place, the first 20. */
export const diagnoseYaml = (
  problems: readonly YamlProblem[],
  lines: LineCounter,
  { file, codePrefix }: { readonly file: string; readonly codePrefix: string },
): Diagnostic[] => {
  const found = new Map<string, Diagnostic>()
  for (const { fault, offset, detail } of [...problems].sort((a, b) => a.offset - b.offset)) {
    if (found.size === MOST_YAML_DIAGNOSTICS) break
    const { code, hint } = explain(fault)
    const place = `${code} ${offset}`
    if (found.has(place)) continue
    const { line, col } = lines.linePos(offset)
    const message = visibleLine(detail.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase()))
    found.set(place, {
      severity: 'error',
      code: `${codePrefix}/${code}`,
      message: `YAML: ${message}`,
      file,
      line: Math.max(line, 1),
      column: Math.max(col, 1),
      hint,
    })
  }
  return [...found.values()]
}

const syntax = (hint: string) => ({ code: 'yaml-syntax', hint })

const explain = (fault: YamlProblem['fault']): { readonly code: string; readonly hint: string } => {
  switch (fault) {
    case 'too-large':
      return { code: 'yaml-too-large', hint: 'Split it into several files.' }
    case 'too-deep':
      return { code: 'yaml-too-deep', hint: 'Flatten it: no file that a person maintains needs that many levels.' }
    case 'too-many-keys':
      return { code: 'yaml-too-many-keys', hint: 'Split it into several files.' }
    case 'duplicate-key':
    case 'DUPLICATE_KEY':
      return { code: 'yaml-duplicate-key', hint: 'Keep one of the two: a key may appear once in a map.' }
    case 'empty-key':
    case 'NON_STRING_KEY':
      return { code: 'yaml-key', hint: 'A key is a word or a quoted text: `key: value`.' }
    case 'alias':
    case 'BAD_ALIAS':
    case 'ALIAS_PROPS':
    case 'MULTIPLE_ANCHORS':
      return {
        code: 'yaml-alias',
        hint: 'Anchors and aliases are not supported: write the value out, or quote the text.',
      }
    case 'TAG_RESOLVE_FAILED':
    case 'MULTIPLE_TAGS':
    case 'BAD_COLLECTION_TYPE':
    case 'BAD_PROP_ORDER':
      return { code: 'yaml-tag', hint: 'Custom tags are not supported: leave the tag out, or quote the text.' }
    case 'further-document':
    case 'MULTIPLE_DOCS':
      return { code: 'yaml-multiple-documents', hint: 'Keep one document in the file: remove the `---` between them.' }
    case 'BLOCK_AS_IMPLICIT_KEY':
      return syntax('Put the value in quotes if it holds a colon, or on indented lines of its own if it is a map.')
    case 'TAB_AS_INDENT':
      return syntax('Indent with spaces, not tabs.')
    case 'BAD_INDENT':
      return syntax('Entries of one map or list must start in the same column.')
    case 'MISSING_CHAR':
    case 'MULTILINE_IMPLICIT_KEY':
      return syntax('An entry is `key: value`; every quote and bracket must be closed, perhaps one above is not.')
    case 'BAD_DIRECTIVE':
      return syntax('Remove the line that starts with %.')
    case 'BAD_DQ_ESCAPE':
      return syntax('Use single quotes, in which a backslash means itself, or double the backslash.')
    case 'BAD_SCALAR_START':
    case 'UNEXPECTED_TOKEN':
      return syntax('Quote the text if it starts with a special character.')
    case 'BLOCK_IN_FLOW':
    case 'IMPOSSIBLE':
    case 'KEY_OVER_1024_CHARS':
    case 'RESOURCE_EXHAUSTION':
      return syntax('Check quotes, brackets and indentation near here.')
  }
}
