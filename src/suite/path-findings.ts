import { relativePath } from '../core/relative-path.ts'
import { globFault, isGlob, unescapeGlob } from '../lib/glob.ts'
import { below, type Finding } from './finding.ts'
import type { Path } from './path.ts'
import { isRecord, type JsonRecord, listOr, recordOr } from './record.ts'

/** Paths of a case that would leave its workspace: destinations of `files`, and what `expected.files` looks at. */
export const pathFindings = (merged: JsonRecord): Finding[] => [
  ...destinationFindings(recordOr(merged.files)).map((finding) => below(['files'], finding)),
  ...sourceFindings(recordOr(merged.files)).map((finding) => below(['files'], finding)),
  ...listOr(recordOr(merged.expected).files).flatMap((file, i) => {
    const path = isRecord(file) ? file.path : undefined
    const problem = typeof path === 'string' ? (workspaceProblem(meantPath(path)) ?? globProblem(path)) : undefined
    return problem === undefined ? [] : [bad(['expected', 'files', i, 'path'], 'value', problem)]
  }),
]

const destinationFindings = (files: JsonRecord): Finding[] => {
  const seen = new Map<string, string>()
  return Object.keys(files).flatMap((written): Finding[] => {
    const problem = workspaceProblem(written)
    if (problem !== undefined) return [bad([written], 'key', problem)]
    const result = relativePath(written)
    const path = 'path' in result ? result.path : written
    const first = seen.get(path)
    seen.set(path, written)
    return first === undefined ? [] : [bad([written], 'key', `the path names the same file as \`${first}\``)]
  })
}

/** The path that a pattern stands for, or one like it: a backslash before what is meant literally is no part of it. */
const meantPath = (pattern: string): string =>
  isGlob(pattern) ? pattern.replaceAll(/\\[\\*?[\]{}]/g, 'x') : unescapeGlob(pattern)

const globProblem = (written: string): string | undefined => {
  const fault = isGlob(written) ? globFault(written) : undefined
  return fault === undefined ? undefined : `the pattern ${fault}`
}

/** Where a source lies is found out on the disk; what no path may hold is found out here. */
const sourceFindings = (files: JsonRecord): Finding[] =>
  Object.entries(files).flatMap(([destination, source]) =>
    typeof source === 'string' && hasControl(source)
      ? [{ ...bad([destination], 'value', 'the path of the fixture has a control character'), hint: FIXTURE_HINT }]
      : [],
  )

/** Whether a text has a character that belongs in no path. */
export const hasControl = (text: string): boolean => /[\x00-\x1f\x7f]/.test(text)

const workspaceProblem = (written: string): string | undefined => {
  const result = relativePath(written)
  if ('problem' in result) return result.problem
  const [first = ''] = result.path.split('/')
  if (first === '') return 'the path is the workspace itself: name a file in it'
  return first.toLowerCase() === '.agent' ? 'the path is below .agent, which is kept for the configuration' : undefined
}

/** What helps whoever wrote a file's content where the path of a fixture goes. */
export const FIXTURE_HINT =
  'A plain text is the path of a fixture, relative to the suite; content is written `{text: "…"}`.'

const bad = (path: Path, at: Finding['at'], problem: string): Finding => ({
  path,
  at,
  code: 'path',
  message: problem,
  hint: 'Paths in the workspace are relative, with forward slashes.',
})
