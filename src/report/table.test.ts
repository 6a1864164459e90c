import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadTable } from './table.ts'
import { textWidth } from './text-width.ts'
import { painter } from './tone.ts'

// The layout asks for it as it is loaded, and would colour heads and borders by itself.
process.env.FORCE_COLOR = '1'

const columns = [{ title: 'name', align: 'left', shrinks: 'middle' }, { title: 'n' }] as const

test('lays out columns by their width on a terminal', async () => {
  const lay = await loadTable(80, painter(false))
  expect(
    lay(columns, [
      ['漢字', '1'],
      ['ab', '1,000'],
      [{ text: 'e\u0301', tone: 'bad' }, ''],
    ]),
  ).toBe(['name      n', '漢字      1', 'ab    1,000', 'e\u0301', ''].join('\n'))
})

test('colours what is asked for and nothing else', async () => {
  const rows = [[{ text: 'ab', tone: 'bad' }, '1'] as const]
  expect((await loadTable(80, painter(true)))(columns, rows)).toBe(
    '\x1b[2mname\x1b[22m  \x1b[2mn\x1b[22m\n\x1b[31mab\x1b[39m    1\n',
  )
})

test('gives columns that shrink what the others leave, to each no more than it needs', async () => {
  const three = [columns[0], { title: 'path', align: 'left', shrinks: 'end' }, { title: 'n' }] as const
  const rows = [['short', 'p'.repeat(40), '1']]
  expect((await loadTable(30, painter(false)))(three, rows)).toBe(
    `name   path                  n\nshort  ${'p'.repeat(19)}…  1\n`,
  )
  expect((await loadTable(18, painter(false)))(three, rows)).toBe(`name   path      n\nshort  ppppppp…  1\n`)
})

test('leaves out columns where there is no room, and shows a number whole or not at all', async () => {
  const four = [
    { title: 'id', align: 'left' },
    { title: 'took', drop: 1 },
    { title: 'cases' },
    { title: 'failed' },
  ] as const
  const rows = [['20260102-030405', '1 min 2 s', '12,345', '3']]
  const laid = async (width: number) => (await loadTable(width, painter(false)))(four, rows)
  expect(await laid(42)).toMatch(/^id +took +cases +failed\n/)
  expect(await laid(40)).toBe('id                cases  failed\n20260102-030405  12,345       3\n')
  expect(await laid(26)).toBe('id                cases\n20260102-030405  12,345\n')
  expect(await laid(12)).toBe('id\n202601…30405\n')
})

test('is never wider than the terminal', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '漢', '🎉', 'é', '1', ' '), maxLength: 30 })
  const lays = new Map(
    await Promise.all([10, 40, 80].map(async (width) => [width, await loadTable(width, painter(false))] as const)),
  )
  const five = [
    ...columns,
    { title: 'a', align: 'left' },
    { title: 'b', drop: 1 },
    { title: 'c', align: 'left', shrinks: 'end' },
  ] as const
  fc.assert(
    fc.property(
      fc.constantFrom(10, 40, 80),
      fc.array(fc.tuple(cell, cell, cell, cell, cell), { maxLength: 5 }),
      (width, rows) => {
        for (const line of lays.get(width)!(five, rows).split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(width)
      },
    ),
  )
})
