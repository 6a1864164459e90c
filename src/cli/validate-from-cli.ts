import { findProject } from '../app/project.ts'
import { type Validation, validateSkills } from '../app/skills.ts'
import { UsageError } from '../core/errors.ts'
import { diagnosticAnnotations } from '../report/diagnostic-annotations.ts'
import { fixedText } from '../report/fixed-text.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'
import { showDiagnostics } from './report-error.ts'

export type ValidateFlags = CommonOptions & {
  readonly lenient?: boolean
  readonly profile: 'spec' | 'hermes' | 'saa' | 'harness9' | 'claude-code'
  readonly format: 'text' | 'github'
  readonly fix?: boolean
  readonly dryRun?: boolean
  readonly diff?: boolean
}

/** Validates, after mending what `--fix` can; 1 where errors are left, 2 where a file could not be written. */
export const validateFromCli = async (paths: readonly string[], flags: ValidateFlags): Promise<number> => {
  const host = processHost(flags.C)
  const { lenient = false, profile, fix = false, dryRun = false, diff = false } = flags
  if ((dryRun || diff) && !fix)
    throw new UsageError('needs_fix', `${dryRun ? '--dry-run' : '--diff'} says something about --fix`, {
      hint: 'Add --fix.',
    })
  const found = await validateSkills(
    paths,
    { lenient, profile, fix: fix ? (dryRun ? 'dry-run' : 'write') : undefined },
    host,
  )
  if (flags.json) host.stdout(`${JSON.stringify(asJson(found, fix, dryRun), null, 2)}\n`)
  else if (flags.format === 'github') host.stdout(diagnosticAnnotations(found.diagnostics))
  else {
    host.stdout(fixedText(found.fixed, { color: host.color, dryRun, diff }))
    const shown = flags.quiet ? found.diagnostics.filter(({ severity }) => severity === 'error') : found.diagnostics
    await showDiagnostics(shown, findProject(host.cwd, host.home, host.files).dir)
    if (!flags.quiet)
      host.stdout(
        `${found.skills} ${found.skills === 1 ? 'skill' : 'skills'} checked: ${found.ok ? 'no errors' : 'errors'}\n`,
      )
  }
  if (!found.isWritten) return 2
  return found.ok ? 0 : 1
}

const asJson = ({ skills, ok, diagnostics, fixed }: Validation, isFixing: boolean, dryRun: boolean) => ({
  skills,
  ok,
  diagnostics,
  ...(isFixing && { dry_run: dryRun, fixed: fixed.map(({ file, changes }) => ({ file, changes })) }),
})
