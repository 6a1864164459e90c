import { FileError } from '../core/errors.ts'
import type { FileEntry, Workspace } from '../core/ports.ts'
import type { CheckResult } from '../core/results.ts'
import { type Check, operatorOf } from '../schema/check.ts'
import { checkName } from './check-name.ts'
import { checkResult } from './check-result.ts'
import type { FileTarget } from './find-files.ts'
import { GraderError } from './grader-error.ts'
import type { GradingPorts } from './ports.ts'
import { runCheck } from './run-check.ts'
import { type Subject, textSubject } from './subject.ts'

/** The largest file whose text is judged. */
const maxBytes = 4 * 1024 * 1024

/** Runs checks on the text of each file: one result for each check, followed by the parts of a grader script. */
export const checkContents = async (
  checks: readonly Check[],
  { found, isGlob }: FileTarget,
  workspace: Workspace,
  ports: GradingPorts,
): Promise<CheckResult[]> => {
  if (checks.length === 0) return []
  const rows = checks.map((check) => ({ check, files: [] as InFile[], parts: [] as CheckResult[] }))
  for (const entry of found) {
    const read = readText(entry, workspace)
    for (const { check, files, parts } of rows) {
      const [result, ...more] = 'problem' in read ? [unseen(check, read.problem)] : await runCheck(check, read, ports)
      files.push({ path: entry.path, result })
      parts.push(...(isGlob ? more.map((part) => ({ ...part, name: `${part.name} (${entry.path})` })) : more))
    }
  }
  return rows.flatMap(({ files, parts }) => [...together(files, isGlob), ...parts])
}

/** The failure of a check that has nothing to look at. */
export const unseen = (check: Check, message: string): CheckResult =>
  checkResult({
    name: checkName(check),
    kind: operatorOf(check) ?? 'file',
    place: check.place,
    passed: false,
    weight: check.weight,
    message,
  })

type InFile = { readonly path: string; readonly result: CheckResult }

/** The results of one check as one: it holds where all do, and scores what the worst does. */
const together = (files: readonly InFile[], isGlob: boolean): CheckResult[] => {
  const failed = files.filter(({ result }) => !result.passed)
  const shown = failed[0] ?? files[0]
  if (shown === undefined) return []
  if (!isGlob) return [shown.result]
  const score = files.reduce((least, { result }) => Math.min(least, result.score), 1)
  if (failed.length === 0) return [{ ...shown.result, score }]
  const others = failed.slice(1, 11).map(({ path }) => path)
  const more = others.length === 0 ? '' : `\nand in ${failed.length - 1} more: ${others.join(', ')}`
  return [{ ...shown.result, score, message: `${shown.path}: ${shown.result.message ?? 'it does not hold'}${more}` }]
}

const readText = ({ path, kind, size }: FileEntry, workspace: Workspace): Subject | { readonly problem: string } => {
  if (kind !== 'file') return { problem: kind === 'dir' ? `${path} is a folder` : `${path} is no regular file` }
  if (size > maxBytes) throw tooLarge(path, size)
  try {
    const { content, bytes } = workspace.read(path, maxBytes)
    // It may have grown since it was found: a part of it must not be judged as the whole.
    if (bytes > maxBytes) throw tooLarge(path, bytes)
    return textSubject(new TextDecoder('utf-8', { fatal: true }).decode(content), `the file ${path}`)
  } catch (error) {
    if (error instanceof TypeError) return { problem: `${path} is not UTF-8 text` }
    if (error instanceof FileError) return { problem: error.message }
    throw error
  }
}

const tooLarge = (path: string, size: number): GraderError =>
  new GraderError(`${path} is too large to judge: ${size} bytes, at most ${maxBytes}`)
