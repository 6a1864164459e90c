import type { Diagnostic, Severity } from '../core/diagnostic.ts'
import { foreignLine } from './foreign-text.ts'
import { type AnnotationLevel, githubCommand } from './github-command.ts'

const levels: Readonly<Record<Severity, AnnotationLevel>> = { error: 'error', warning: 'warning', info: 'notice' }

/** Diagnostics as annotations for GitHub's log, each with what to do next; nothing in them is obeyed. */
export const diagnosticAnnotations = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics
    .map(({ severity, code, message, file, line, column, hint }) =>
      githubCommand(
        levels[severity],
        { file, line, column, title: foreignLine(code) },
        [message, ...(hint === undefined ? [] : [hint])].map((text) => foreignLine(text, 500)).join('\n'),
      ),
    )
    .join('')
