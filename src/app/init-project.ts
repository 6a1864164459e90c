import { join, relative, resolve, sep } from 'node:path'
import { writeNewText } from '../adapters/files/output-file.ts'
import { UsageError } from '../core/errors.ts'
import { checkName } from '../skills/check-name.ts'
import { skillLog } from '../skills/diagnose.ts'
import type { Host } from './host.ts'
import { type StarterFile, starterProject, starterSkill, starterSuite } from './starter-files.ts'

/** Writes a whole small project into `dir`; files that are there already are left as they are and named. */
export const initProject = (dir: string, host: Host): number => {
  const folder = resolve(host.cwd, dir)
  const files = starterProject().map((file) => ({
    ...file,
    text: file.text.replaceAll('SKILLS_EVAL_VERSION', host.version),
  }))
  const made = writeAll(files, folder, host)
  const place = relative(host.cwd, folder)
  const suites = place === '' ? 'evals/' : `${place.split(sep).join('/')}/evals/`
  if (made > 0) host.stdout(`\nNext: skills-eval run ${suites}\n`)
  return 0
}

export const newSkill = (name: string, root: string, host: Host): number => {
  requireName(name)
  return report(
    writeAll(starterSkill(name), resolve(host.cwd, root), host),
    `skills-eval skills validate ${join(root, name)}`,
    host,
  )
}

export const newEval = (name: string, root: string, host: Host): number => {
  requireName(name)
  const skillRoot = relative(join(host.cwd, 'evals'), resolve(host.cwd, root)).split(sep).join('/')
  const file = { path: `evals/${name}.eval.yaml`, text: starterSuite(name, skillRoot) }
  return report(writeAll([file], host.cwd, host), `skills-eval run ${file.path}`, host)
}

const requireName = (name: string): void => {
  const log = skillLog(name, 'strict')
  checkName(name, [name], log, () => ({ line: 1, column: 1 }))
  const problem = log.diagnostics.find((diagnostic) => diagnostic.severity === 'error')
  if (problem)
    throw new UsageError('bad_name', problem.message, { hint: 'Lowercase letters, digits and single hyphens.' })
}

const report = (made: number, next: string, host: Host): number => {
  if (made === 0) return 1
  host.stdout(`\nNext: ${next}\n`)
  return 0
}

const writeAll = (files: readonly StarterFile[], folder: string, host: Host): number => {
  let made = 0
  for (const { path, text, executable } of files) {
    const isNew = writeNewText(join(folder, path), text, executable ? 0o755 : 0o644)
    if (isNew) made += 1
    host.stdout(`${isNew ? 'made     ' : 'is there '} ${path}\n`)
  }
  return made
}
