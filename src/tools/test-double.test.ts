import { describe, expect, test } from 'vitest'
import type { ToolDouble } from '../schema/suite.ts'
import { testDouble } from './test-double.ts'

const signal = new AbortController().signal
const answers = async (double: ToolDouble, inputs: readonly unknown[]): Promise<string[]> => {
  const tool = testDouble('web_search', double)
  const found: string[] = []
  for (const input of inputs) {
    const { status, text } = await tool.call(input, { signal })
    found.push(`${status}: ${text}`)
  }
  return found
}

describe('a test double', () => {
  test.each<[string, ToolDouble, unknown[], string[]]>([
    ['returns a text as it is', { returns: 'two\nlines' }, [{}, {}], ['ok: two\nlines', 'ok: two\nlines']],
    ['returns a value as JSON', { returns: { hits: [1, null] } }, [{}], ['ok: {"hits":[1,null]}']],
    ['returns nothing as null', { returns: null }, [{}], ['ok: null']],
    ['fails with its message', { error: 'no network' }, [{}, {}], ['error: no network', 'error: no network']],
    [
      'returns one answer per call, then fails',
      { returns_each: ['first', { n: 2 }] },
      [{}, {}, {}],
      ['ok: first', 'ok: {"n":2}', 'error: the test double has 2 answers and this is call 3'],
    ],
    [
      'answers by what its input is',
      {
        when: [
          { input: { query: 'march' }, returns: 'M' },
          { input: { query: { contains: 'apr' } }, error: 'A' },
        ],
      },
      [{ query: 'march', limit: 3 }, { query: 'in april' }, { query: 'may' }],
      ['ok: M', 'error: A', 'error: no "when" of the test double matches this input'],
    ],
    [
      'takes the first clause that matches',
      {
        when: [
          { input: {}, returns: 'any' },
          { input: { query: 'x' }, returns: 'never' },
        ],
      },
      [{ query: 'x' }],
      ['ok: any'],
    ],
    [
      'answers otherwise',
      { when: [{ input: { query: 'x' }, returns: 1 }], otherwise: { returns: 'else' } },
      [{ query: 'y' }, { query: 'x' }],
      ['ok: else', 'ok: 1'],
    ],
    [
      'fails otherwise',
      { when: [{ input: { query: 'x' }, returns: 1 }], otherwise: { error: 'not known' } },
      [{ query: 'y' }],
      ['error: not known'],
    ],
  ])('%s', async (_, double, inputs, expected) => {
    expect(await answers(double, inputs)).toEqual(expected)
  })

  test('is an ordinary tool to the model', () => {
    const schema = { type: 'object', properties: { query: { type: 'string' } } }
    const described = testDouble('web_search', { description: 'Searches.', input_schema: schema, returns: 1 })
    expect([described.name, described.description, described.parameters]).toEqual(['web_search', 'Searches.', schema])
    const plain = testDouble('web_search', { returns: 1 })
    expect([plain.description, plain.parameters]).toEqual(['The tool web_search.', {}])
  })

  test('counts its calls for itself', async () => {
    const double = { returns_each: ['first'] }
    expect([await answers(double, [{}]), await answers(double, [{}])]).toEqual([['ok: first'], ['ok: first']])
  })
})
