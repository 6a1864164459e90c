import { describe, expect, test } from 'vitest'
import type { Message, ModelRequest } from '../core/model.ts'
import { answered, call, canonicalOf, requestOf, results, someParts, user } from './conversation.test-support.ts'
import type { Place } from './placeholders.ts'
import { fixedParts, requestReader } from './read-request.ts'

const reader = () => requestReader({ model: 'm' }, canonicalOf([{ name: 'skill:csv', path: '/s/csv' }]))
const names = (parts: readonly { readonly name: string }[]) => parts.map(({ name }) => name)
const fixed = ['system', 'index', 'tools', 'params']

const body = { skill: 'csv', text: '<skill folder="/s/csv">$& do it</skill>' }
const bodyOfPdf = { skill: 'pdf', text: '<skill folder="/s/pdf">fill</skill>' }

describe('the parts of a request', () => {
  test('are told by turn, in a conversation of several inputs', () => {
    const read = reader()
    const first = [user('Sum it.')]
    const second = [
      ...first,
      answered(call('0', 'select_skills', { skills: [{ name: 'csv' }] })),
      results({ name: 'select_skills', text: body.text, bodies: [body] }),
    ]
    const third = [
      ...second,
      answered(call('0', 'read_file', { path: 'a.csv' }), call('1', 'run_script', { path: 'scripts/top.py' })),
      results({ text: '1,2' }, { callId: '1', name: 'run_script', text: 'Mar' }),
    ]
    const fourth = [
      ...third,
      answered(call('0', 'final_answer')),
      results({ name: 'final_answer', text: 'given' }),
      user('And?'),
    ]
    expect(names(read.next(requestOf(first)).parts)).toEqual([...fixed, 'input'])
    const two = read.next(requestOf(second))
    expect(names(two.parts)).toEqual(['body:csv', 'observation:1'])
    expect(two.messages).toEqual([{ part: 'observation:1', label: 'select_skills', text: '[body:csv]' }])
    expect(two.parts[0]?.content).toBe('<skill folder="[path:skill:csv]">$& do it</skill>')
    expect(read.next(requestOf(third)).messages).toEqual([
      { part: 'observation:2', label: 'a.csv', text: '1,2' },
      { part: 'observation:3', label: 'scripts/top.py', text: 'Mar' },
    ])
    expect(names(read.next(requestOf(fourth)).parts)).toEqual(['observation:4', 'input'])
  })

  test('are the same in text, where what came of actions travels as a message', () => {
    const read = reader()
    const first = [user('Sum it.')]
    const told = `select_skills: ${body.text}\n\nread_file: 1`
    const second: Message[] = [...first, answered(), { role: 'user', text: told, isObservation: true, bodies: [body] }]
    read.next(requestOf(first))
    const { parts, messages } = read.next(requestOf(second))
    expect(names(parts)).toEqual(['body:csv', 'observation:1'])
    expect(messages).toEqual([{ part: 'observation:1', text: 'select_skills: [body:csv]\n\nread_file: 1' }])
  })

  test('several bodies in one result, and those that the user invokes, are parts of their own', () => {
    const text = `${body.text}\n\n${bodyOfPdf.text}`
    const invoked: Message = { role: 'user', text: `${text}\n\nSum it.`, bodies: [body, bodyOfPdf] }
    const { parts, messages } = reader().next(requestOf([invoked]))
    expect(names(parts)).toEqual([...fixed, 'body:csv', 'body:pdf', 'input'])
    expect(messages).toEqual([{ part: 'input', text: '[body:csv]\n\n[body:pdf]\n\nSum it.' }])
  })

  test('those that stay the same are told again only when they change', () => {
    const read = reader()
    const messages = [user('x')]
    read.next(requestOf(messages))
    expect(names(read.next(requestOf(messages, someParts())).parts)).toEqual([])
    const changed = someParts({ tools: [] })
    expect(names(read.next(requestOf(messages, changed)).parts)).toEqual(['tools'])
  })

  test('hold no secret and no path, in tools and parameters neither', () => {
    const secret = 'correcthorsebattery'
    const read = requestReader({ user: secret }, canonicalOf([{ name: 'home', path: '/home/a' }]))
    const there = (name: string, text: string) =>
      someParts({
        system: text,
        descriptions: { x: text },
        tools: [{ name, description: text, parameters: { default: text } }],
      })
    const { parts } = read.next(requestOf([user(secret)], there('t', `${secret} /home/a`)))
    expect(JSON.stringify(parts)).not.toContain(secret)
    const elsewhere = requestReader({ user: secret }, canonicalOf([{ name: 'home', path: '/Users/b' }]))
    const other = elsewhere.next(requestOf([user(secret)], there('t', `${secret} /Users/b`)))
    expect(other.parts).toEqual(parts)
  })
})

describe('parts that trials share', () => {
  const parts = (change: Partial<ModelRequest['parts']> = {}): ModelRequest['parts'] => ({
    system: 'Be brief.',
    index: 'csv: Reads CSV.',
    descriptions: { csv: 'Reads CSV.' },
    tools: [tool],
    ...change,
  })
  const tool = { name: 'read_file', description: 'Read.', parameters: {} }
  const ask = (own: ModelRequest['parts']): ModelRequest => ({
    system: own.system,
    parts: own,
    messages: [{ role: 'user', text: 'Hi.' }],
    tools: [],
    view: { turn: 1, input: '', observation: '', skillsLoaded: [], skillsAvailable: [] },
  })
  const counting = (places: readonly Place[] = []) => {
    const seen: string[] = []
    const canonical = canonicalOf(places)
    const text = (raw: string) => {
      seen.push(raw)
      return canonical.text(raw)
    }
    return { seen, canonical: { ...canonical, text } }
  }

  test('are put into their form once, and are the same as if each had been', () => {
    const remembered = fixedParts()
    const { seen, canonical } = counting()
    const first = requestReader({ model: 'm' }, canonical, remembered).next(ask(parts()))
    const before = seen.length
    const second = requestReader({ model: 'm' }, canonical, remembered).next(ask(parts()))
    expect(second).toEqual(first)
    expect(seen.slice(before)).toEqual(['Hi.'])
    expect(requestReader({ model: 'm' }, canonical).next(ask(parts()))).toEqual(first)
  })

  test.each([
    ['system', parts({ system: 'Be long.' }), { model: 'm' }],
    ['index', parts({ index: 'other', descriptions: { csv: 'other' } }), { model: 'm' }],
    ['tools', parts({ tools: [{ ...tool, description: 'Other.' }] }), { model: 'm' }],
    ['params', parts(), { model: 'other' }],
  ])('are another where %s is', (name, changed, params) => {
    const remembered = fixedParts()
    const canonical = canonicalOf([])
    const of = (request: ModelRequest['parts'], how: Readonly<Record<string, string>>) =>
      new Map(
        requestReader(how, canonical, remembered)
          .next(ask(request))
          .parts.map((part) => [part.name, part.fingerprint]),
      )
    const [a, b] = [of(parts(), { model: 'm' }), of(changed, params)]
    expect([...a.keys()].filter((key) => a.get(key) !== b.get(key))).toEqual([name])
  })

  test('are not shared where they speak of a place, which is another in the next trial', () => {
    const remembered = fixedParts()
    const of = (path: string) =>
      requestReader({}, canonicalOf([{ name: 'workspace', path }]), remembered).next(
        ask(parts({ system: 'You are in /tmp/1 or /tmp/2.' })),
      ).parts[0]?.content
    expect([of('/tmp/1'), of('/tmp/2')]).toEqual([
      'You are in [path:workspace] or /tmp/2.',
      'You are in /tmp/1 or [path:workspace].',
    ])
  })
})
