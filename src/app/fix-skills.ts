import { addRunBit } from '../adapters/files/add-run-bit.ts'
import { renameFile } from '../adapters/files/rename-file.ts'
import { replaceText } from '../adapters/files/replace-text.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { FileError, SkillsEvalError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import type { SkillProfile } from '../skills/dialects/dialects.ts'
import { fixShebang } from '../skills/fix/fix-shebang.ts'
import { fixSkillText, type SkillChange } from '../skills/fix/fix-skill-text.ts'
import { baseName, dirName, joinPath } from '../skills/paths.ts'
import { maxSkillBytes } from '../skills/read-skill-text.ts'
import type { Host } from './host.ts'
import { findProject, shownPath } from './project.ts'

export type FixedFile = {
  /** Relative to the project. */
  readonly file: string
  readonly before: string
  readonly after: string
  readonly changes: readonly SkillChange[]
}

/** What was mended, or would be, and the files that could not be written. */
export type SkillFixes = { readonly fixed: readonly FixedFile[]; readonly failed: readonly Diagnostic[] }

/**
 * Mends what is wrong with a skill and can be mended in one way: the name and the text of its SKILL.md, scripts without
 * a shebang or a run bit. Each file is replaced whole, or with `dryRun` none is. Links and what is no UTF-8 are left alone.
 * One that can't be written keeps nothing else from being mended.
 */
export const fixSkill = (
  folder: string,
  findings: readonly Diagnostic[],
  options: { readonly profile: SkillProfile; readonly dryRun: boolean },
  host: Host,
): SkillFixes => {
  const project = findProject(host.cwd, host.home, host.files)
  const renamed = fixName(folder, host.files)
  // Its text is mended once it has its name; what would be mended is told at once.
  const name = options.dryRun ? baseName(renamed[0]?.path ?? 'SKILL.md') : 'SKILL.md'
  const fixes: Fix[] = [...renamed, ...fixText(joinPath(folder, name), options.profile, host.files)]
  for (const { code, file } of findings) {
    if (!isOwn(file, host.files)) continue
    if (code === 'skill/script-shebang') fixes.push(...fixScript(file, host.files))
    if (code === 'skill/script-run-bit') fixes.push(...fixRunBit(file, host.files))
  }
  const failed = new Map<string, Diagnostic>()
  const done = fixes.filter((fix) => {
    const failure = options.dryRun ? undefined : failureOf(fix)
    if (failure !== undefined) failed.set(fix.path, failure)
    return failure === undefined
  })
  return {
    fixed: done.map(({ path, before, after, changes }) => ({ file: shownPath(project, path), before, after, changes })),
    failed: [...failed.values()],
  }
}

/** Writes it; says why where that can't be. */
const failureOf = ({ path, before, after, act }: Fix): Diagnostic | undefined => {
  try {
    if (act) act()
    else replaceText(path, before, after)
    return undefined
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
    const { code, hint } = error
    const message = error.message.replace(`${path} `, 'it ')
    return { severity: 'error', code, message, file: path, ...(hint !== undefined && { hint }) }
  }
}

/** `act` in place of another text. */
type Fix = Omit<FixedFile, 'file'> & { readonly path: string; readonly act?: () => void }

/** `Skill.md`, where nothing else could be meant. */
const fixName = (folder: string, files: Files): readonly Fix[] => {
  const found = files.list(folder).filter(({ name }) => name.toLowerCase() === 'skill.md')
  const [entry] = found
  if (entry === undefined || found.length > 1 || entry.name === 'SKILL.md') return []
  const path = joinPath(folder, entry.name)
  const text = isOwn(path, files) ? readOwn(path, files) : undefined
  if (text === undefined) return []
  const changes = [{ rule: 'file-name', line: 1, message: 'it is called SKILL.md now' }] as const
  return [{ path, before: text, after: text, changes, act: () => renameFile(path, 'SKILL.md') }]
}

const fixText = (path: string, profile: SkillProfile, files: Files): readonly Fix[] => {
  const folder = dirName(path)
  const real = files.realPath(folder) ?? folder
  const text = isOwn(path, files) ? readOwn(path, files) : undefined
  if (text === undefined) return []
  const { text: after, changes } = fixSkillText(text, { folder: baseName(real), profile })
  return after === text ? [] : [{ path, before: text, after, changes }]
}

const fixScript = (path: string, files: Files): readonly Fix[] => {
  const before = readOwn(path, files)
  const after = before === undefined ? undefined : fixShebang(path, before)
  if (before === undefined || after === undefined) return []
  const message = `its first line is ${after.slice(0, after.indexOf('\n'))} now`
  return [{ path, before, after, changes: [{ rule: 'script-shebang', line: 1, message }] }]
}

const fixRunBit = (path: string, files: Files): readonly Fix[] => {
  const text = readOwn(path, files)
  const changes = [{ rule: 'script-run-bit', line: 1, message: 'it has a run bit now' }] as const
  return text === undefined ? [] : [{ path, before: text, after: text, changes, act: () => addRunBit(path) }]
}

/** A file of the skill itself, by no link. */
const isOwn = (path: string, files: Files): boolean =>
  files.list(dirName(path)).some(({ name, kind, isLink }) => name === baseName(path) && kind === 'file' && !isLink)

const readOwn = (path: string, files: Files): string | undefined => {
  try {
    return files.readText(path, maxSkillBytes)
  } catch (error) {
    if (error instanceof FileError) return undefined
    throw error
  }
}
