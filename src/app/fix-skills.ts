import { replaceText } from '../adapters/files/replace-text.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { FileError } from '../core/errors.ts'
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

/**
 * Mends what is wrong with a skill and can be mended in one way: its SKILL.md, and scripts without a shebang. Each file is
 * replaced whole, or with `dryRun` none is. Links and what is no UTF-8 are left alone.
 */
export const fixSkill = (
  folder: string,
  findings: readonly Diagnostic[],
  options: { readonly profile: SkillProfile; readonly dryRun: boolean },
  host: Host,
): readonly FixedFile[] => {
  const project = findProject(host.cwd, host.home, host.files)
  const fixed: { path: string; before: string; after: string; changes: readonly SkillChange[] }[] = []
  const real = host.files.realPath(folder) ?? folder
  const main = ['SKILL.md', 'skill.md'].map((name) => joinPath(folder, name)).find((path) => isOwn(path, host.files))
  const text = main === undefined ? undefined : readOwn(main, host.files)
  if (main !== undefined && text !== undefined) {
    const { text: after, changes } = fixSkillText(text, { folder: baseName(real), profile: options.profile })
    if (after !== text) fixed.push({ path: main, before: text, after, changes })
  }
  for (const { code, file } of findings) {
    if (code !== 'skill/script-shebang' || !isOwn(file, host.files)) continue
    const before = readOwn(file, host.files)
    const after = before === undefined ? undefined : fixShebang(file, before)
    if (before === undefined || after === undefined) continue
    const message = `its first line is ${after.slice(0, after.indexOf('\n'))} now`
    fixed.push({ path: file, before, after, changes: [{ rule: 'script-shebang', line: 1, message }] })
  }
  if (!options.dryRun) for (const { path, before, after } of fixed) replaceText(path, before, after)
  return fixed.map(({ path, ...rest }) => ({ file: shownPath(project, path), ...rest }))
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
