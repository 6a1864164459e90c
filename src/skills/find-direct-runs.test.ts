import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findDirectRuns } from './find-direct-runs.ts'

const runs = (markdown: string) => findDirectRuns(markdown).map(({ path }) => path)
const fenced = (line: string) => `Do:\n\n\`\`\`bash\n${line}\n\`\`\`\n\nThen stop.\n`

test.each<[string, readonly string[]]>([
  ['Run scripts/a.sh FILE.', ['scripts/a.sh']],
  ['Then run `scripts/a.sh`.', ['scripts/a.sh']],
  ['Execute ./scripts/a.sh now', ['scripts/a.sh']],
  ['Use `./scripts/a.py`', ['scripts/a.py']],
  ['Use `scripts/a.py data.csv`', ['scripts/a.py']],
  ['Use `${CLAUDE_SKILL_DIR}/scripts/a.py data.csv`', ['scripts/a.py']],
  [fenced('scripts/a.sh x'), ['scripts/a.sh']],
  [fenced('$ ./scripts/a.sh && scripts/b.sh | scripts/sub/c.sh'), ['scripts/a.sh', 'scripts/b.sh', 'scripts/sub/c.sh']],
  [fenced('LANG=C "${CLAUDE_SKILL_DIR}/scripts/a.sh" x'), ['scripts/a.sh']],
  ['See `scripts/a.py`, [a](scripts/a.py) and scripts/b.py.', []],
  ['Run `python3 scripts/a.py x` or run `bash ./scripts/a.sh`.', []],
  ['Run `other/scripts/a.py x`, `scripts/*.py`, `scripts/<name>.py x`', []],
  [fenced('python3 scripts/a.py x\ncat scripts/b.py\n# see scripts/c.py'), []],
  ['`scripts/`', []],
])('%j', (markdown, expected) => {
  expect(runs(markdown)).toEqual(expected)
})

test('the place of each is in the text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('Run ', '`', '```\n', './', 'scripts/a.sh', ' ', '\n', 'x', '$ ', '&& ')),
      (parts) => {
        const text = parts.join('')
        for (const { path, offset } of findDirectRuns(text)) expect(text.slice(offset).includes(path)).toBe(true)
      },
    ),
  )
})

test('a long text takes no long time', () => {
  const started = performance.now()
  runs(`${fenced('A=b '.repeat(50_000))}${'Run `scripts/'.repeat(20_000)}`)
  expect(performance.now() - started).toBeLessThan(2000)
})
