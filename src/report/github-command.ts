import { foreignLine } from './foreign-text.ts'

export type AnnotationLevel = 'error' | 'warning' | 'notice'

export type Annotated = {
  /** As the repository names it; undefined: it is about no file. */
  readonly file?: string
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** Safe to show. */
  readonly title: string
}

/**
 * An annotation for GitHub's log, with its line end; nothing in it is obeyed. The message may have several lines.
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export const githubCommand = (level: AnnotationLevel, at: Annotated, message: string): string => {
  const properties = [
    ...(at.file === undefined ? [] : [['file', foreignLine(at.file, 1000)]]),
    ...(at.line === undefined ? [] : [['line', String(at.line)]]),
    ...(at.column === undefined ? [] : [['col', String(at.column)]]),
    ['title', at.title],
  ]
  const head = properties.map(([name, value]) => `${name}=${property(value ?? '')}`)
  return `::${level} ${head.join(',')}::${data(message)}\n`
}

const data = (text: string): string =>
  inert(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

// `::` ends the properties and starts the message: what looks like one in a text shall not look so to any reader.
const inert = (text: string): string => text.replace(/:(?=:)/g, ': ')
