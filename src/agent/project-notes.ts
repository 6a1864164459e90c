/** An AGENTS.md: where it lies, relative to the project, and what of it is shown. */
export type ProjectNote = { readonly path: string; readonly text: string; readonly isCut: boolean }

/** So many bytes of all AGENTS.md together are shown. */
export const maxNoteBytes = 32 * 1024

/** The AGENTS.md of a project as the system prompt has them, the outermost first; '' where there is none. */
export const renderProjectNotes = (notes: readonly ProjectNote[]): string => {
  const shown = notes.filter(({ text }) => text.trim() !== '')
  if (shown.length === 0) return ''
  return [opening, ...shown.map(renderNote)].join('\n\n')
}

const opening =
  'The project says this about work in it. What the user asks goes before it, and what lies nearer to the working folder, which comes last, goes before the rest.'

const renderNote = ({ path, text, isCut }: ProjectNote): string =>
  [
    `<project_notes path="${attribute(path)}">`,
    text.trim().replaceAll('</project_notes', '&lt;/project_notes'),
    ...(isCut ? ['[cut: the file is longer than what is shown of it]'] : []),
    '</project_notes>',
  ].join('\n')

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
