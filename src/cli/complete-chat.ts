import { join, resolve } from 'node:path'
import type { Chat } from '../app/chat.ts'
import type { Host } from '../app/host.ts'
import { visibleLine } from '../lib/visible.ts'
import { commandNames } from './chat-commands.ts'

const MAX = 100

/** What may stand for the last word of a line: a command, a skill, or a file of the working folder. */
export const completeChat = (
  line: string,
  chat: Pick<Chat, 'skills'>,
  host: Pick<Host, 'cwd' | 'files'>,
): readonly [readonly string[], string] => {
  const word = /\S*$/.exec(line)?.[0] ?? ''
  const skills = () => chat.skills().filter(({ hiddenFromUser }) => !hiddenFromUser)
  if (line.startsWith('/') && word === line && !word.slice(1).includes('/')) {
    const names = [...commandNames, ...skills().flatMap(({ name, isDisabled }) => (isDisabled ? [] : [name]))]
    return [
      starting(
        names.map((name) => `/${name} `),
        word,
      ),
      word,
    ]
  }
  if (/^\/(disable|enable)\s/.test(line))
    return [
      starting(
        skills().map(({ name }) => name),
        word,
      ),
      word,
    ]
  const slash = word.lastIndexOf('/') + 1
  const folder = word.slice(0, slash)
  const entries = host.files.list(resolve(host.cwd, folder)).flatMap(({ name, kind }) => {
    if (name.startsWith('.') && !word.slice(slash).startsWith('.')) return []
    // It would be written to the terminal as it is.
    if (visibleLine(name, name.length) !== name) return []
    return [kind === 'dir' ? `${join(folder, name)}/` : join(folder, name)]
  })
  // What `join` makes of `./a` is `a`.
  return word.startsWith('./') || word.startsWith('..') || word.startsWith('/')
    ? [[], word]
    : [starting(entries, word), word]
}

const starting = (all: readonly string[], word: string): readonly string[] =>
  [...new Set(all)].filter((one) => one.startsWith(word)).slice(0, MAX)
