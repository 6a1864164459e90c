import { type SkillLog, skillLog } from './diagnose.ts'
import { type FrontmatterFields, parseFrontmatter } from './parse-frontmatter.ts'
import type { SkillMode, SkillRuleId } from './rules.ts'
import { type FrontmatterSplit, splitFrontmatter } from './split-frontmatter.ts'

export type Frontmatter = FrontmatterFields & {
  readonly split: Extract<FrontmatterSplit, { ok: true }>
}

export type FrontmatterOptions = {
  /** The name that diagnostics carry. */
  readonly file: string
  readonly mode: SkillMode
  /** False where the text is only the head of the file; true unless told. */
  readonly complete?: boolean | undefined
}

/**
 * Reads the fields at the head of a SKILL.md. YAML that can't be read is tried once more with values that hold a colon
 * put in quotes, which is told with the line and the fix. At most 64 KiB, 64 levels, 1,000 values; no anchors, aliases,
 * tags; `__proto__` is a key like any other. No `frontmatter` where nothing could be made of it; never throws.
 */
export const readFrontmatter = (
  text: string,
  options: FrontmatterOptions,
): { readonly frontmatter: Frontmatter | undefined; readonly log: SkillLog } => {
  const log = skillLog(options.file, options.mode)
  const complete = options.complete ?? true
  const strict = splitFrontmatter(text, { complete })
  if (strict.bom) log.report('bom', 'the file starts with a byte order mark', { place: () => ({ line: 1, column: 1 }) })
  if (!strict.ok) reportSplit(log, strict.problem, text, complete)
  const isLoadable = !strict.ok && strict.problem === 'leading-blank-line' && options.mode === 'lenient'
  const split = isLoadable ? splitFrontmatter(text, { complete, skipBlankLines: true }) : strict
  if (!split.ok) {
    if (isLoadable) reportSplit(log, split.problem, text, complete)
    return { frontmatter: undefined, log }
  }
  const parsed = parseFrontmatter(split.frontmatter, split.line, log)
  return { frontmatter: parsed && { ...parsed, split }, log }
}

type SplitProblem = Extract<FrontmatterSplit, { ok: false }>['problem']

const reportSplit = (log: SkillLog, problem: SplitProblem, text: string, complete: boolean): void => {
  const { rule, message } = splitFault(problem, complete)
  const isUtf16 = problem === 'no-opening-fence' && text.slice(0, 200).includes('\0')
  log.report(rule, message, {
    place: () => ({ line: 1, column: 1 }),
    hint: isUtf16 ? 'It looks like UTF-16: save it as UTF-8.' : undefined,
  })
}

const splitFault = (
  problem: SplitProblem,
  complete: boolean,
): { readonly rule: SkillRuleId; readonly message: string } => {
  switch (problem) {
    case 'leading-blank-line':
      return { rule: 'leading-blank-line', message: 'there are blank lines above the frontmatter' }
    case 'no-opening-fence':
      return { rule: 'frontmatter-missing', message: 'the file does not start with a frontmatter: line 1 is not ---' }
    case 'not-closed':
      return complete
        ? { rule: 'frontmatter-unclosed', message: 'the frontmatter is not closed: no further line is ---' }
        : { rule: 'frontmatter-too-large', message: 'no line --- ends the frontmatter within 64 KiB' }
  }
}
