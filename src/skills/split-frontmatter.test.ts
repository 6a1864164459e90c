import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitFrontmatter } from './split-frontmatter.ts'

const parts = (text: string, options = {}) => {
  const split = splitFrontmatter(text, options)
  return split.ok ? { ...split, body: text.slice(split.bodyStart) } : split
}

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

describe('splitFrontmatter', () => {
  test.each([
    ['---\na: b\n---\nBody\n', 'a: b\n', 'Body\n'],
    ['---\r\na: b\r\n---\r\nBody\r\n', 'a: b\r\n', 'Body\r\n'],
    ['---  \na: b\n--- \t\nBody', 'a: b\n', 'Body'],
    ['---\na: b\n---', 'a: b\n', ''],
    ['---\n---\nBody', '', 'Body'],
    ['---\na: x --- y\nb: "---"\n  ---\n----\n---x\n---\n---\n', 'a: x --- y\nb: "---"\n  ---\n----\n---x\n', '---\n'],
  ])('splits %j', (text, frontmatter, body) => {
    expect(parts(text)).toMatchObject({ ok: true, frontmatter, body, line: 2, bom: false })
  })

  test.each([
    ['', 'no-opening-fence'],
    ['name: x\n---\n', 'no-opening-fence'],
    [' ---\na: b\n---\n', 'no-opening-fence'],
    ['----\na: b\n---\n', 'no-opening-fence'],
    ['\n\n', 'no-opening-fence'],
    ['\n---\na: b\n---\n', 'leading-blank-line'],
    [' \t\r\n\n---\na: b\n---\n', 'leading-blank-line'],
    ['---', 'not-closed'],
    ['---\n', 'not-closed'],
    ['---\na: b\n', 'not-closed'],
    ['---\ndescription: a --- b\n', 'not-closed'],
  ])('says of %j: %s', (text, problem) => {
    expect(splitFrontmatter(text)).toEqual({ ok: false, problem, bom: false })
  })

  test('passes over a byte order mark', () => {
    expect(parts('\ufeff---\na: b\n---\nBody')).toMatchObject({
      ok: true,
      frontmatter: 'a: b\n',
      body: 'Body',
      bom: true,
    })
  })

  test('passes over blank lines when told to, and counts them', () => {
    expect(parts('\n\n---\na: b\n---\nBody', { skipBlankLines: true })).toMatchObject({
      ok: true,
      frontmatter: 'a: b\n',
      line: 4,
      bodyLine: 6,
      body: 'Body',
    })
  })

  test('does not take the cut end of a head for a fence', () => {
    expect(splitFrontmatter('---\na: b\n---', { complete: false }).ok).toBe(false)
    expect(splitFrontmatter('---\na: b\n---\n', { complete: false }).ok).toBe(true)
  })

  test('never throws, and what it splits is the text again', () => {
    const pieces = fc.constantFrom('---', '\n', '\r\n', ' ', 'a: b', '\ufeff', '----', '\t', '\0', '😀')
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(texts, fc.boolean(), fc.boolean(), (text, complete, skipBlankLines) => {
        const split = splitFrontmatter(text, { complete, skipBlankLines })
        if (!split.ok) return
        const start = text.indexOf(split.frontmatter)
        expect(start).toBeGreaterThanOrEqual(0)
        expect(text.slice(0, split.bodyStart).trimEnd().endsWith('---')).toBe(true)
        expect(
          text
            .split('\n')
            .slice(split.line - 1, split.bodyLine - 2)
            .join('\n'),
        ).toBe(split.frontmatter.replace(/\n$/, ''))
      }),
      { numRuns: 3000 },
    )
  })

  test('is quick with a megabyte of blank lines', () => {
    const start = process.cpuUsage()
    splitFrontmatter('\n'.repeat(1_000_000))
    splitFrontmatter(' '.repeat(1_000_000))
    expect(cpuMs(start)).toBeLessThan(500)
  })
})
