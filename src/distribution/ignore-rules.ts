import { globFault, matchesGlob } from '../lib/glob.ts'

type Rule = { readonly glob: string; readonly isFolderOnly: boolean; readonly isKept: boolean }

/** What the lines of a .gitignore say, for paths relative to its folder. Lines that are no pattern say nothing. */
export type IgnoreRules = readonly Rule[]

export const readIgnoreRules = (text: string): IgnoreRules =>
  text.split(/\r?\n/).flatMap((line) => {
    const written = line.replace(/(?<!\\)[ \t]+$/, '')
    if (written === '' || written.startsWith('#')) return []
    const isKept = written.startsWith('!')
    const pattern = isKept ? written.slice(1) : written
    const isFolderOnly = pattern.endsWith('/')
    const body = isFolderOnly ? pattern.slice(0, -1) : pattern
    // A slash that is not at the end ties a pattern to the folder; otherwise it holds at every depth.
    const glob = body.includes('/') ? body.replace(/^\//, '') : `**/${body}`
    return body === '' || globFault(glob) !== undefined ? [] : [{ glob, isFolderOnly, isKept }]
  })

/** The last rule that names the path decides: true where it is left out, undefined where none does. */
export const isIgnored = (rules: IgnoreRules, path: string, isFolder: boolean): boolean | undefined => {
  for (const { glob, isFolderOnly, isKept } of [...rules].reverse()) {
    if (isFolderOnly && !isFolder) continue
    // `dir/**` names what is in a folder and not the folder itself.
    if (glob.endsWith('/**') && !path.includes('/')) continue
    if (matchesGlob(glob, path)) return !isKept
  }
  return undefined
}
