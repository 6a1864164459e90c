import fc from 'fast-check'
import markdownIt from 'markdown-it'
import { describe, expect, test } from 'vitest'
import {
  HOSTILE,
  hostileSuite,
  render,
  runOf,
  sampleCase,
  sampleRun,
  sampleSuite,
  sampleTrial,
} from '../../test/support/sample-run.ts'
import { markdownReporter } from './markdown-report.ts'
import { codeBlock, codeCell, codeSpan } from './markdown-text.ts'

const markdown = markdownIt({ html: true, linkify: true })

/** Every kind of thing that a reader would see in the rendered text. */
const kindsIn = (text: string): ReadonlySet<string> => {
  const tokens = markdown.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])])
  return new Set(tokens.map(({ type }) => type.replace(/_(open|close)$/, '')))
}

const expectedKinds = [
  'heading',
  'inline',
  'text',
  'paragraph',
  'code_inline',
  'fence',
  'strong',
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
]

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '`',
        '``',
        '```',
        '|',
        '\\',
        '\n',
        ' ',
        '<img src=x>',
        '<!--',
        '[a](b)',
        '![a](b)',
        'https://x.example',
        '*',
        '_',
        '# ',
        '~~~',
        '&lt;',
        'a@x.example',
        '> ',
        '- ',
      ),
    )
    .map((all) => all.join('')),
)

describe('markdownReporter', () => {
  test('tells a whole run', async () => {
    await expect(render(markdownReporter(), sampleRun())).toMatchFileSnapshot('__golden__/sample.golden.md')
  })

  test('says in a line that all passed', () => {
    const run = runOf([sampleSuite('csv', [sampleCase()])])
    expect(render(markdownReporter(), run)).toMatchInlineSnapshot(`
      "# Passed

      1 case: 1 passed — 1.2 s

      ## Suites

      | suite | cases | passed | failed | pass rate |
      | :-- | --: | --: | --: | --: |
      | \`csv\` | 1 | 1 | 0 | 100% (25–75%) |

      \`tokens: 1,200 in, 240 out  cost: $0.0120  latency: mean 0.1 s, p95 0.2 s\`
      "
    `)
  })

  test('lets nothing of others become markup', () => {
    expect([...kindsIn(render(markdownReporter(), runOf([hostileSuite()])))].sort()).toEqual([...expectedKinds].sort())
  })

  test('lets nothing of others become markup, whatever it is', () => {
    const known = new Set([...expectedKinds, 'bullet_list', 'list_item'])
    fc.assert(
      fc.property(hostileText, (text) => {
        const rendered = render(markdownReporter(), runOf([hostileSuite(text)]))
        expect([...kindsIn(rendered)].filter((kind) => !known.has(kind))).toEqual([])
        expect(rendered).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
      }),
    )
  })

  test('keeps below 1 MiB and says how much it left out', () => {
    const text = `${HOSTILE}\n`.repeat(100)
    const trial = sampleTrial({
      status: 'failed',
      checks: [{ name: 'c', kind: 'k', passed: false, score: 0, weight: 1, message: text }],
    })
    const cases = Array.from({ length: 20_000 }, (_, i) =>
      sampleCase({ id: `case-${i}`, status: 'failed', reason: text, trials: [trial] }),
    )
    const rendered = render(markdownReporter(), runOf([sampleSuite('s', cases)]))
    expect(Buffer.byteLength(rendered)).toBeLessThanOrEqual(1024 * 1024)
    expect(Buffer.byteLength(rendered)).toBeGreaterThan(1023 * 1024)
    const shown = rendered.match(/^(###|-) failed: /gm)?.length ?? 0
    expect(rendered).toContain(`\n… and ${(20_000 - shown).toLocaleString('en')} more problems left out`)
  })
})

describe('code', () => {
  test.each([
    ['a', '`a`'],
    ['', '` `'],
    ['a `b` c', '``a `b` c``'],
    ['`a', '`` `a ``'],
    [' a ', '`  a  `'],
    ['a|b', '`a|b`'],
  ])('span of %j is %s', (text, span) => {
    expect(codeSpan(text)).toBe(span)
  })

  test('spans and blocks show the text and nothing else, whatever it is', () => {
    const line = hostileText.map((text) => text.replace(/[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]/g, '.'))
    fc.assert(
      fc.property(line, (text) => {
        const [, inline] = markdown.parse(`x ${codeSpan(text)} y`, {})
        expect(inline?.children?.map(({ type, content }) => [type, content])).toEqual([
          ['text', 'x '],
          ['code_inline', text.trim() === '' ? ' ' : text],
          ['text', ' y'],
        ])
        const [block, ...rest] = markdown.parse(codeBlock(text), {})
        expect([block?.type, block?.content, rest.length]).toEqual(['fence', `${text}\n`, 0])
        const cells = markdown
          .parse(`| a | b |\n| - | - |\n| ${codeCell(text)} | z |\n`, {})
          .filter(({ type }) => type === 'td_open')
        expect(cells).toHaveLength(2)
      }),
    )
  })
})
