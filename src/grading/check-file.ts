import { placedIn } from '../core/check-place.ts'
import type { Workspace } from '../core/ports.ts'
import type { CheckResult } from '../core/results.ts'
import { type Check, type FileCheck, operatorOf } from '../schema/check.ts'
import { checkName } from './check-name.ts'
import { checkResult } from './check-result.ts'
import { changesOf } from './check-unchanged.ts'
import { checkContents, unseen } from './file-contents.ts'
import { type FileTarget, findFiles } from './find-files.ts'
import type { GradingPorts } from './ports.ts'

/**
 * Judges one entry of `expected.files`: whether it is there, is unchanged, and what is in it. With a glob each check
 * is one result, which holds when it does for every file that matches. Where there is none everything fails but
 * `exists: false`. Throws a GraderError for what can't be judged, such as a file over 4 MiB.
 */
export const checkFile = async (
  check: FileCheck,
  workspace: Workspace,
  ports: GradingPorts,
): Promise<CheckResult[]> => {
  const target = findFiles(check.path, workspace)
  const label = check.name ?? check.path
  const checks = contentChecks(check, label)
  const results: CheckResult[] = []
  if (check.exists !== undefined || (check.unchanged === undefined && checks.length === 0)) {
    results.push(existence(check, label, target, workspace))
  }
  if (check.exists === false) return results
  if (check.unchanged !== undefined) results.push(unchanged(check, check.unchanged, label, target, workspace))
  if (target.found.length > 0) return [...results, ...(await checkContents(checks, target, workspace, ports))]
  const message = checks.length > 0 ? absence(check, target, workspace) : ''
  return [...results, ...checks.map((inner) => unseen(inner, message))]
}

/** The operator beside the path and the listed checks, named for the file. */
const contentChecks = (check: FileCheck, label: string): Check[] => {
  const { path, exists, unchanged, checks = [], name, ...own } = check
  const listed = placedIn(check, checks).map((inner) => ({ ...inner, name: `${label}: ${checkName(inner)}` }))
  if (operatorOf(own) === undefined) return listed
  return [{ ...own, name: name !== undefined && listed.length === 0 ? name : `${label}: ${checkName(own)}` }, ...listed]
}

const existence = (check: FileCheck, label: string, target: FileTarget, workspace: Workspace): CheckResult => {
  const wanted = check.exists ?? true
  const isThere = target.found.length > 0 || target.problem !== undefined
  const passed = wanted ? target.found.length > 0 : !isThere
  const named = {
    name: `${label} ${wanted ? 'exists' : 'does not exist'}`,
    kind: 'file',
    place: check.place,
    passed,
    weight: check.weight,
  }
  if (passed) return checkResult(named)
  if (wanted) return checkResult({ ...named, message: absence(check, target, workspace) })
  const paths = target.found.map((entry) => entry.path)
  return checkResult({ ...named, message: target.problem ?? `there is ${listed(paths)}` })
}

const unchanged = (
  check: FileCheck,
  wanted: boolean,
  label: string,
  target: FileTarget,
  workspace: Workspace,
): CheckResult => {
  const named = {
    name: `${label} is ${wanted ? 'unchanged' : 'changed'}`,
    kind: 'file',
    place: check.place,
    weight: check.weight,
  }
  const changes = changesOf(target, workspace)
  if (target.found.length === 0 && changes.length === 0)
    return checkResult({ ...named, passed: false, message: absence(check, target, workspace) })
  if ((changes.length === 0) === wanted) return checkResult({ ...named, passed: true })
  return checkResult({ ...named, passed: false, message: wanted ? changes.join('\n') : 'it is as it was laid out' })
}

/** Why nothing was found, and what there is instead. */
const absence = (check: FileCheck, target: FileTarget, workspace: Workspace): string => {
  if (target.problem !== undefined) return target.problem
  const there = workspace.files('.', maxListed + 1).map((file) => file.path)
  const names = there.length === 0 ? 'is empty' : `has ${listed(there)}`
  return `${target.isGlob ? `no file matches ${check.path}` : `${check.path} does not exist`}; the workspace ${names}`
}

const maxListed = 10

const listed = (paths: readonly string[]): string =>
  `${paths.slice(0, maxListed).join(', ')}${paths.length > maxListed ? ', …' : ''}`
