import { expect, test } from 'vitest'
import { HOSTILE, render, runOf, sampleCase, sampleSuite, sampleTrial } from '../../test/support/sample-run.ts'
import type { Reporter } from '../core/ports.ts'
import { githubReporter } from './github-report.ts'
import { gitlabReporter } from './gitlab-report.ts'
import { junitReporter } from './junit-report.ts'
import { markdownReporter } from './markdown-report.ts'
import { terminalReporter } from './terminal-report.ts'

const tenMegabytes = `${HOSTILE}\n`.repeat(Math.ceil((10 * 1024 * 1024) / HOSTILE.length))
const oneLine = tenMegabytes.replaceAll('\n', ' ')

const huge = (text: string) => {
  const action = {
    turn: 1,
    action: 'call_tool',
    params: { tool: text, input: { text } },
    status: 'error',
    observation: text,
    duration_ms: 1,
  } as const
  const check = {
    name: text,
    kind: 'equals',
    passed: false,
    score: 0,
    weight: 1,
    message: text,
    expected: text,
    actual: text,
  }
  const trial = sampleTrial({ status: 'failed', reason: text, output: text, actions: [action], checks: [check] })
  const failed = sampleCase({ status: 'failed', reason: text, input: [text], tags: [text], trials: [trial] })
  return runOf([sampleSuite('s', [failed, sampleCase({ id: 'x', reason: text })])])
}

const reporters: readonly (readonly [string, () => Reporter | Promise<Reporter>, number])[] = [
  ['junit', junitReporter, 80],
  ['markdown', markdownReporter, 20],
  ['github', githubReporter, 8],
  ['gitlab', gitlabReporter, 8],
  ['terminal', () => terminalReporter({ color: false, width: 80 }), 80],
]

test.each(reporters)('of texts of 10 MB %s shows a part, and does not take long', async (_, make, kilobytes) => {
  for (const text of [tenMegabytes, oneLine]) {
    const begun = performance.now()
    const shown = render(await make(), huge(text))
    expect(Buffer.byteLength(shown)).toBeLessThan(kilobytes * 1024)
    expect(performance.now() - begun).toBeLessThan(30_000)
  }
})
