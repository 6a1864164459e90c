import type { Chat } from '../app/chat.ts'
import type { Host } from '../app/host.ts'
import { SkillsEvalError } from '../core/errors.ts'
import { visible, visibleLine } from '../lib/visible.ts'
import { agentPlanText, chatSkillsText, searchText, spentText, unknownText } from '../report/chat-report.ts'
import { reportError } from './report-error.ts'

export type ChatContext = {
  readonly chat: Chat
  readonly host: Host
  /** As they were given. */
  readonly place: { readonly C?: string; readonly config?: string }
  say(text: string): void
}

type Command = {
  readonly usage: string
  readonly does: string
  run(rest: string, context: ChatContext): Promise<void> | void
}

const commands: Readonly<Record<string, Command>> = {
  skills: {
    usage: '/skills',
    does: 'the skills that there are',
    run: (_, { chat, say }) => say(chatSkillsText(chat.skills())),
  },
  search: {
    usage: '/search WORDS',
    does: 'skills that have to do with these words',
    run: async (rest, { chat, say }) =>
      say(rest === '' ? 'usage: /search WORDS\n' : searchText(await chat.search(rest))),
  },
  disable: {
    usage: '/disable SKILL',
    does: 'take a skill away from the agent',
    run: (rest, context) => setDisabled(rest, true, context),
  },
  enable: {
    usage: '/enable SKILL',
    does: 'give it back',
    run: (rest, context) => setDisabled(rest, false, context),
  },
  reload: {
    usage: '/reload',
    does: 'look for skills anew',
    run: (_, { chat, say }) => say(`${chat.reload()} skills\n`),
  },
  plan: {
    usage: '/plan',
    does: "the agent's plan",
    run: (_, { chat, say }) => say(agentPlanText(chat.plan())),
  },
  cost: {
    usage: '/cost',
    does: 'what was spent so far',
    run: (_, { chat, say }) => say(spentText(chat.spent())),
  },
  'save-case': {
    usage: '/save-case SUITE',
    does: 'put this chat into a suite as a case',
    run: async (rest, { chat, host, place, say }) => {
      if (rest === '') {
        say('usage: /save-case evals/NAME.eval.yaml\n')
        return
      }
      const { tellSavedCase } = await import('./saved-case.ts')
      await tellSavedCase(chat.recorded(), rest, place, host)
    },
  },
  help: {
    usage: '/help',
    does: 'this list',
    run: (_, { say }) => say(helpText()),
  },
  quit: { usage: '/quit', does: 'end the chat (Ctrl-D too)', run: () => undefined },
}

export const commandNames: readonly string[] = Object.keys(commands)

/** What an entry is: a command that was done, the end of the chat, or something for the agent. */
export const obeyCommand = async (entry: string, context: ChatContext): Promise<'done' | 'quit' | 'say'> => {
  const match = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/.exec(entry.trim())
  const name = match?.[1]
  if (name === undefined) return 'say'
  if (name === 'quit' || name === 'exit') return 'quit'
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return isSkill(name, context.chat) ? 'say' : unknown(name, context)
  try {
    await command.run(match?.[2]?.trim() ?? '', context)
  } catch (error) {
    // What a command can't do ends it, and nothing else.
    if (!(error instanceof SkillsEvalError)) throw error
    await reportError(error)
  }
  return 'done'
}

const isSkill = (written: string, chat: Chat): boolean =>
  chat
    .skills()
    .some(
      ({ name, source, hiddenFromUser, isDisabled }) =>
        !hiddenFromUser && !isDisabled && (written === name || written === `${name}@${source}`),
    )

const unknown = (name: string, { chat, say }: ChatContext): 'done' => {
  const skill = chat.skills().find((one) => one.name === name)
  if (skill === undefined) {
    const names = chat.skills().flatMap((one) => (one.hiddenFromUser || one.isDisabled ? [] : [one.name]))
    say(
      unknownText(
        'command or skill',
        `/${name}`,
        [...commandNames, ...names].map((one) => `/${one}`),
      ),
    )
  } else say(skill.isDisabled ? `${name} is disabled: /enable ${name}\n` : `${name} is not for people to invoke\n`)
  return 'done'
}

const setDisabled = (name: string, isDisabled: boolean, { chat, say }: ChatContext): void => {
  if (name === '') {
    say(`usage: /${isDisabled ? 'disable' : 'enable'} SKILL\n`)
    return
  }
  const skill = chat.setDisabled(name, isDisabled)
  const names = chat.skills().map((one) => one.name)
  if (!('problem' in skill)) say(`${visibleLine(skill.name)} is ${isDisabled ? 'disabled' : 'enabled'}\n`)
  else say(names.includes(name) ? `${visible(skill.problem)}\n` : unknownText('skill', name, names))
}

const helpText = (): string => {
  const rows = [...Object.values(commands), { usage: '/SKILL [TEXT]', does: 'load a skill yourself, and ask' }]
  const width = Math.max(...rows.map(({ usage }) => usage.length))
  const lines = rows.map(({ usage, does }) => `  ${usage.padEnd(width)}  ${does}`)
  return [
    ...lines,
    'A \\ at the end of a line goes on with the next. Ctrl-C ends a request; twice with nothing written, the chat.',
    '',
  ].join('\n')
}
