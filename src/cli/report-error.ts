import { join } from 'node:path'
import { findProject } from '../app/project.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { InvalidInputError, SkillsEvalError } from '../core/errors.ts'
import { visibleLine } from '../lib/visible.ts'
import { processHost, wantsColor } from './process-host.ts'

/** Shows what a person can mend: diagnostics with their places, or a message with its next step. Returns 2; rethrows a bug. */
export const reportError = async (error: unknown): Promise<number> => {
  if (error instanceof InvalidInputError) {
    await showDiagnostics(error.diagnostics)
    return 2
  }
  if (!(error instanceof SkillsEvalError)) throw error
  const hint = error.hint === undefined ? '' : `  ${error.hint}\n`
  process.stderr.write(`error: ${visibleLine(error.message, 2000)}\n${hint}`)
  return 2
}

/** Prints diagnostics on stderr, each with the lines of its file around it. */
export const showDiagnostics = async (diagnostics: readonly Diagnostic[], projectDir?: string): Promise<void> => {
  if (diagnostics.length === 0) return
  const { formatDiagnostics } = await import('../report/format-diagnostics.ts')
  const host = processHost(undefined)
  const base = projectDir ?? findProject(host.cwd, host.home, host.files).dir
  const source = (file: string): string | undefined => {
    try {
      return host.files.readText(file.startsWith('/') ? file : join(base, file), 16 * 1024 * 1024)
    } catch {
      // The file itself may be what is wrong: then there are no lines to show.
      return undefined
    }
  }
  process.stderr.write(formatDiagnostics(diagnostics, { source, color: wantsColor(process.stderr.isTTY === true) }))
}
