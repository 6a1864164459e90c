import { maxNoteBytes, renderProjectNotes } from '../agent/project-notes.ts'
import type { Workspace } from '../core/ports.ts'

const NAME = 'AGENTS.md'

/**
 * What AGENTS.md of a case's own workspace says, for the system prompt, and of no folder above it: an eval must not
 * depend on where it runs.
 */
export const workspaceNotes = (workspace: Workspace): string => {
  if (workspace.stat(NAME)?.kind !== 'file') return ''
  const { content, bytes } = workspace.read(NAME, maxNoteBytes)
  return renderProjectNotes([{ path: NAME, text: new TextDecoder().decode(content), isCut: bytes > content.length }])
}
