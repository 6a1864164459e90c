import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCsv } from './csv.ts'

const faultsOf = async (text: string): Promise<string[]> =>
  (await parseCsv(text, 'rows.csv')).diagnostics.map(({ code, line, message }) => `${code} ${line}: ${message}`)

describe('parseCsv', () => {
  test.each<[string, Record<string, string>[]]>([
    [
      'month,revenue\nMarch,1200\nMay,9\n',
      [
        { month: 'March', revenue: '1200' },
        { month: 'May', revenue: '9' },
      ],
    ],
    ['\ufeffa,b\r\n1,\r\n', [{ a: '1', b: '' }]],
    ['a\n"x, ""y""\nz"\n', [{ a: 'x, "y"\nz' }]],
    ['a,b\n\n1,2\n\n', [{ a: '1', b: '2' }]],
    ['a b , c\n 1 , 2\n', [{ 'a b ': ' 1 ', ' c': ' 2' }]],
    ['a\n', []],
    ['a\ntrue\n007\n', [{ a: 'true' }, { a: '007' }]],
  ])('reads %j', async (text, rows) => {
    expect(await parseCsv(text, 'rows.csv')).toEqual({ rows, diagnostics: [] })
  })

  test('explains a fault whole', async () => {
    expect((await parseCsv('a,b\n1,2\n1,2,3\n', 'rows.csv')).diagnostics).toEqual([
      {
        severity: 'error',
        code: 'csv/columns',
        message: 'the row has 3 values, the header 2 columns',
        file: 'rows.csv',
        line: 3,
        column: 1,
        hint: 'Put a value that holds a comma in double quotes.',
      },
    ])
  })

  test.each<[string, string[]]>([
    ['', ['csv/header 1: there is no header row']],
    ['\n\n', ['csv/header 1: there is no header row']],
    ['a,,a\n1,2,3\n', ['csv/header 1: column 2 has no name', 'csv/header 1: two columns are named "a"']],
    [
      'a,b\n1\n1,2\n1,2,3\n',
      [
        'csv/columns 2: the row has 1 value, the header 2 columns',
        'csv/columns 4: the row has 3 values, the header 2 columns',
      ],
    ],
    ['a\n1\n"open\n', ['csv/syntax 3: a double quote is not closed before the text ends']],
    ['a\nx"y\n', ['csv/syntax 2: a double quote stands inside a value that does not start with one']],
    ['a\n"x"y\n', ['csv/syntax 2: there is text after the closing double quote of a value']],
  ])('says what is wrong with %j', async (text, faults) => {
    expect(await faultsOf(text)).toEqual(faults)
  })

  test('reports at most 20 faults', async () => {
    expect(await faultsOf(`a\n${'1,2\n'.repeat(100)}`)).toHaveLength(20)
  })

  test('holds __proto__ as a column like any other', async () => {
    const { rows } = await parseCsv('__proto__,constructor\nx,y\n', 'rows.csv')
    expect(rows.map((row) => Object.entries(row))).toEqual([
      [
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ],
    ])
    expect(Object.getPrototypeOf(rows[0])).toBe(Object.prototype)
  })

  test('reads back any table that was written with quotes', async () => {
    const value = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '\0') })
    const table = fc.array(fc.tuple(value, value), { maxLength: 5 })
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    await fc.assert(
      fc.asyncProperty(table, async (pairs) => {
        const text = ['a,b', ...pairs.map((pair) => pair.map(quoted).join(','))].join('\n')
        expect(await parseCsv(text, 'rows.csv')).toEqual({ rows: pairs.map(([a, b]) => ({ a, b })), diagnostics: [] })
      }),
    )
  })

  test('never throws, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'a",\r\n \ufeff\0;') }), async (text) => {
        expect(Object.keys(await parseCsv(text, 'x.csv'))).toEqual(['rows', 'diagnostics'])
      }),
    )
  })
})
