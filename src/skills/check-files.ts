import type { Files } from '../core/ports.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkMentions } from './check-mentions.ts'
import type { CheckedSkill } from './checked-skill.ts'
import type { SkillLog } from './diagnose.ts'
import { hasScriptExtension } from './file-kind.ts'
import { findDirectRuns } from './find-direct-runs.ts'
import { ifReadable } from './if-readable.ts'
import { baseName, dirName, extensionOf, joinPath } from './paths.ts'
import { reachFiles } from './reach-files.ts'
import { skillFiles } from './skill-files.ts'

/**
 * What an author is glad to hear about the files of a skill: references that lead nowhere, out of the skill or deeper
 * than one level; files that nothing names; scripts without a shebang, or without a run bit where they need one. Looks only as far as its bounds go, and says so
 * where they ended it.
 */
export const checkFiles = (skill: CheckedSkill): void => {
  const { dir, files, log } = skill
  const { files: found, complete, closed } = skillFiles(dir, files, skill.entries)
  const paths = found.map(({ path }) => path)
  if (!complete) log.report('not-checked', 'the skill has too many files or folders: not all were looked at')
  for (const folder of closed) {
    log.report('folder-unreadable', `the folder ${visibleLine(folder)} can't be looked into: permission denied`, {
      file: joinPath(dir, folder),
    })
  }
  checkMentions(skill, paths)

  const reached = reachFiles(skill, paths)
  const unreached = paths.filter((path) => !reached.has(path) && !isExpected(path))
  reportUnreferenced(dir, unreached, log)
  for (const path of paths) {
    if (!isProgram(path) || reached.get(path) === 'module' || startsWithShebang(joinPath(dir, path), files)) continue
    log.report('script-shebang', `${visibleLine(path)} has no shebang`, {
      file: joinPath(dir, path),
      hint: `Begin it with e.g. \`#!/usr/bin/env ${programOf(path)}\`.`,
      place: () => ({ line: 1, column: 1 }),
    })
  }
  checkRunBits(skill, paths)
}

/** Our own runner chooses the interpreter itself; a shell that is given the path needs a file that may be run. */
const checkRunBits = ({ dir, body, files, log }: CheckedSkill, paths: readonly string[]): void => {
  const runs = new Set(findDirectRuns(body.text).map(({ path }) => path))
  for (const path of paths) {
    const file = joinPath(dir, path)
    if (!runs.has(path) || files.canRun(file) !== false || !startsWithShebang(file, files)) continue
    log.report('script-run-bit', `${visibleLine(path)} is to be run by its path, and has no run bit`, {
      file,
      hint: `\`chmod +x\` it, or write the interpreter: \`${programOf(path)} ${visibleLine(path)}\`.`,
      place: () => ({ line: 1, column: 1 }),
    })
  }
}

const programs: Readonly<Record<string, string>> = {
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  ts: 'tsx',
  mts: 'tsx',
  sh: 'bash',
  bash: 'bash',
  zsh: 'zsh',
  rb: 'ruby',
  pl: 'perl',
  php: 'php',
  lua: 'lua',
  r: 'Rscript',
}

/** What usually runs a file with such a name. */
const programOf = (path: string): string => programs[extensionOf(path).replace(/^\./, '').toLowerCase()] ?? 'python3'

const manyFiles = 3

const reportUnreferenced = (dir: string, paths: readonly string[], log: SkillLog): void => {
  const byFolder = new Map<string, string[]>()
  for (const path of paths) {
    const folder = dirName(path)
    const inFolder = byFolder.get(folder)
    if (inFolder === undefined) byFolder.set(folder, [path])
    else inFolder.push(path)
  }
  for (const [folder, inFolder] of byFolder) {
    if (inFolder.length > manyFiles && folder !== '.')
      log.report('file-unreferenced', `${inFolder.length} files in ${visibleLine(folder)}/ are mentioned nowhere`, {
        file: joinPath(dir, folder),
        hint: 'Name them, or their folder, where they are needed, or remove them.',
      })
    else
      for (const path of inFolder)
        log.report('file-unreferenced', `${visibleLine(path)} is mentioned nowhere`, { file: joinPath(dir, path) })
  }
}

/** Files that tools look for by themselves, so that nothing need mention them. */
const isExpected = (path: string): boolean =>
  /^(?:licen[cs]e|readme|notice|changelog|skill\.json|requirements|package(?:-lock)?\.json|pyproject|uv\.lock|__init__\.py)/i.test(
    baseName(path),
  ) || /^(?:tests?|agents|evaluations)\//.test(path)

const isProgram = (path: string): boolean =>
  path.startsWith('scripts/') && (hasScriptExtension(path) || extensionOf(path) === '') && !isExpected(path)

const startsWithShebang = (file: string, files: Files): boolean =>
  ifReadable(() => files.readHead(file, 2).text) === '#!'
