import { expect, test } from 'vitest'
import { loadTable } from './table.ts'
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
  expect((await loadTable(10, painter(false)))(three, rows)).toBe(`name   path      n\nshort  ppppppp…  1\n`)
})
