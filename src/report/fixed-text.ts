import { foreignLine } from './foreign-text.ts'
import { lineDiff } from './line-diff.ts'
import { painter } from './tone.ts'

type FixedFile = {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly changes: readonly { readonly rule: string; readonly line: number; readonly message: string }[]
}

type Options = { readonly color: boolean; readonly dryRun: boolean; readonly diff: boolean }

/** What `skills validate --fix` did, or would do; empty where that is nothing. */
export const fixedText = (fixed: readonly FixedFile[], { color, dryRun, diff }: Options): string => {
  const paint = painter(color)
  const blocks = fixed.map(({ file, before, after, changes }) => {
    const head = `${paint(dryRun ? 'would fix' : 'fixed', 'good')} ${foreignLine(file, 1000)}`
    const told = changes.map(({ rule, line, message }) => `  ${line}: ${foreignLine(message)} [skill/${rule}]`)
    const lines = diff ? lineDiff(before.split('\n'), after.split('\n')) : []
    const shown = lines.map(({ text, tone }) => `  ${paint(foreignLine(text, 300), tone)}`)
    return `${[head, ...told, ...shown].join('\n')}\n`
  })
  return blocks.length === 0 ? '' : `${blocks.join('\n')}\n`
}
