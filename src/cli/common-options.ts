import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'

export type CommonOptions = {
  readonly C?: string
  readonly config?: string
  readonly quiet?: boolean
  readonly json?: boolean
}

/** `-C`, `--config`, `-q` and, for commands that print data, `--json`; and an example below the help. */
export const withCommonOptions = (command: Command, example: string, printsData = true): Command => {
  command.option('-C <dir>', 'work in this folder').option('--config <path>', 'use this configuration file')
  command.option('-q, --quiet', 'print results only')
  if (printsData) command.option('--json', 'print JSON on stdout and nothing else')
  return command.addHelpText('after', `\nExample:\n  ${example}`)
}

/** Options are repeated, never variadic: a variadic one would swallow the paths behind it. */
export const collect = (value: string, previous: readonly string[] | undefined): string[] => [
  ...(previous ?? []),
  value,
]

export const wholeNumber =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (value: string): number => {
    const number = Number(value)
    if (!Number.isSafeInteger(number) || number < min)
      throw new InvalidArgumentError(`It must be a whole number, at least ${min}.`)
    if (number > max) throw new InvalidArgumentError(`It must be at most ${max}.`)
    return number
  }

/** A sum of money: a number above 0, without a sign or an exponent. */
export const amount = (value: string): number => {
  const number = Number(value)
  if (!/^\d*\.?\d+$/.test(value) || number === 0) throw new InvalidArgumentError('It must be an amount above 0.')
  return number
}

/** `2%`, `+10%` or `0.02`: a bare number above 1 is more likely a percentage without its sign. */
/** A share of a whole: above all of it a limit would never be met, or never missed. */
export const partOf = (value: string): number => {
  const number = share(value)
  if (number > 1) throw new InvalidArgumentError('It must be at most 100%.')
  return number
}

export const share = (value: string): number => {
  const [, digits = '', percent] = /^\+?(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(value) ?? []
  const number = percent ? Number(digits) / 100 : Number(digits)
  if (digits === '' || (!percent && number > 1))
    throw new InvalidArgumentError('It must be a percentage, as 2%, or a share, as 0.02.')
  return number
}
