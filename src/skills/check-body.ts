import { countTokens } from '../lib/tokens.ts'
import { firstInvisible } from './clean-text.ts'
import type { SkillLog } from './diagnose.ts'
import { placeAt } from './place-at.ts'

const limits = { lines: 500, tokens: 5000 } as const

export type SkillBodyText = {
  readonly text: string
  /** The line of the file on which it starts. */
  readonly line: number
}

/** What an author is glad to hear about the instructions themselves: too long, empty, hidden or dangerous text. */
export const checkBody = ({ text, line }: SkillBodyText, log: SkillLog): void => {
  const trimmed = text.trim()
  const place = () => ({ line, column: 1 })
  if (trimmed === '') {
    log.report('body-empty', 'there are no instructions below the frontmatter', { place })
    return
  }
  const lines = trimmed.split('\n').length
  if (lines > limits.lines)
    log.report('body-lines', `the body has ${lines} lines, more than ${limits.lines}`, { place })
  // A token is at least one character.
  const tokens = trimmed.length > limits.tokens ? countTokens(trimmed) : 0
  if (tokens > limits.tokens)
    log.report('body-tokens', `the body has about ${tokens.toLocaleString('en')} tokens, more than 5,000`, { place })
  checkText(text, line, log)
}

/** Text that a reader would not see, and commands that run what was just downloaded. `file` where it is another one. */
export const checkText = (text: string, line: number, log: SkillLog, file = log.file): void => {
  const hidden = firstInvisible(text)
  if (hidden !== -1)
    log.report('invisible-characters', 'there are invisible characters', {
      place: () => placeAt(text, hidden, line),
      file,
    })
  for (const { pattern, what } of suspicious) {
    const at = text.search(pattern)
    if (at !== -1) log.report('suspicious-command', what, { place: () => placeAt(text, at, line), file })
  }
}

const shell = String.raw`\|\s{0,20}(?:sudo\s{1,20})?(?:(?:ba|z|da|k)?sh|python3?|node|perl|ruby|iex)\b`

const suspicious = [
  {
    pattern: new RegExp(String.raw`\b(?:curl|wget|iwr)\b[^\n|]{0,300}${shell}`, 'i'),
    what: 'a download is piped into an interpreter',
  },
  {
    pattern: new RegExp(String.raw`\bbase64\s{1,5}(?:-d|-D|--decode)\b[^\n|]{0,100}${shell}`),
    what: 'decoded text is piped into an interpreter',
  },
  { pattern: /\bpowershell(?:\.exe)?\s[^\n]{0,100}-e(?:nc(?:odedcommand)?)?\s/i, what: 'an encoded command is run' },
] as const
