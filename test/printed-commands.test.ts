import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { head, pack, project } from './support/cli.ts'

const evals = (model: string) =>
  `${head.replace('mock', model)}cases:\n  - {id: a, input: x, mock: [{final_answer: no}], expected: {output: [{equals: ok}]}}\n`
const own = { models: { own: { provider: 'mock' } } }

/** The command as a person would paste it. */
const wordsOf = (text: string): string[] =>
  (/repeat: skills-eval (.*)/.exec(text)?.[1] ?? '').replaceAll("'", '').split(' ')

test.each([
  [
    '-C at the project',
    ['-C', 'app', '--config', 'own.json'],
    'run -C app evals/t.eval.yaml --filter =a --config own.json',
  ],
  [
    '-C below it',
    ['-C', 'app/evals', 'own-name', '--config', '../own.json'],
    'run -C app/evals t.eval.yaml --filter =a --config ../own.json',
  ],
])('the command that repeats a case works again, with %s', (_, args, expected) => {
  using p = project(
    Object.fromEntries(
      Object.entries({
        ...pack,
        '.agent/config.json': '{}',
        'own.json': JSON.stringify(own),
        'evals/t.eval.yaml': evals('own'),
      }).map(([path, text]) => [`app/${path}`, text]),
    ),
  )
  const { code, out } = p.cli(['run', ...args.map((one) => (one === 'own-name' ? '.' : one))])
  expect(code).toBe(1)
  expect(wordsOf(out).join(' ')).toBe(expected)
  const again = p.cli(wordsOf(out))
  expect(again.code, again.err).toBe(1)
  expect(again.out).toContain('1 case: 1 failed')
  const shown = p.cli(['runs', 'show', '-C', 'app'])
  expect(wordsOf(shown.out).join(' ')).toBe(expected)
  const summary = readFileSync(join(p.dir, 'app/reports/latest/summary.md'), 'utf8')
  expect(summary.replaceAll("'", '')).toContain(`skills-eval ${expected}`)
})

test('the command that records a case keeps -C', () => {
  using p = project({
    ...Object.fromEntries(Object.entries(pack).map(([path, text]) => [`app/${path}`, text])),
    'app/.agent/config.json': JSON.stringify({
      models: { live: { provider: 'openai', model: 'x', base_url: 'http://127.0.0.1:9' } },
    }),
    'app/evals/t.eval.yaml': evals('live'),
  })
  const { code, out } = p.cli(['run', '-C', 'app'])
  expect(code).toBe(4)
  expect(out).toContain("skills-eval run -C app evals/t.eval.yaml --filter '=a' --record missing")
})

const below = (app: string) =>
  Object.fromEntries(
    Object.entries({ ...pack, '.agent/config.json': '{}', 'evals/t.eval.yaml': evals('mock') }).map(
      ([path, text]) => [`${app}/${path}`, text] as const,
    ),
  )

test('the commands of a merged run work where it was merged', () => {
  using p = project(below('app'))
  const ids = ['1/2', '2/2'].map((shard) => {
    const { json } = p.cli(['run', '-C', 'app', '--json', '--shard', shard, '--pass-with-no-cases'])
    return (json as { readonly id: string }).id
  })
  const merged = p.cli(['merge', '-C', 'app/evals', ...ids])
  expect(merged.code, merged.err).toBe(1)
  expect(wordsOf(merged.out).join(' ')).toBe('run -C app/evals t.eval.yaml --filter =a')
  expect(p.cli(wordsOf(merged.out)).out).toContain('1 case: 1 failed')
})

test('the commands of a run that has not ended work where it was begun', () => {
  using p = project(below('app'))
  const { json } = p.cli(['run', '-C', 'app/evals', '.', '--json'])
  rmSync(join(p.dir, 'app/reports', (json as { readonly id: string }).id, 'run.json'))
  const { out } = p.cli(['report', 'latest', '-C', 'app', '--reporter', 'markdown'])
  expect(wordsOf(out).join(' ')).toBe('run -C app/evals t.eval.yaml --filter =a')
})

test('the commands that skills-agent prints keep -C and --config, and work as they are', () => {
  using p = project(
    Object.fromEntries(
      Object.entries({
        ...pack,
        '.agent/config.json': '{}',
        'own.json': JSON.stringify({ ...own, model: 'own' }),
        'turns.yaml': '- final_answer: Well.\n',
      }).map(([path, text]) => [`app/${path}`, text]),
    ),
  )
  const place = ['-C', 'app', '--config', 'own.json']
  const linesOf = (text: string): string[][] =>
    text
      .split('\n')
      .flatMap((line) => /(?:^ {2}|: |`)(skills-(?:eval|agent) [^`]*)/.exec(line)?.[1] ?? [])
      .map((line) => line.replaceAll("'", '').split(' '))
  const run = (words: readonly string[] = []) =>
    p.cli(words[0] === 'skills-agent' ? ['agent', ...words.slice(1)] : words.slice(1))

  const plain = p.cli(['agent', 'run', ...place, '--mock', 'turns.yaml', '--', '--hello'])
  expect(plain.code, plain.err).toBe(0)
  const promoting = ['runs', 'promote', '-C', 'app', '--to', 'evals/new.eval.yaml', '--config', 'own.json']
  const [again] = linesOf(p.cli(['agent', ...promoting]).err)
  const recorded = run(again)
  expect(recorded.code, recorded.err).toBe(0)

  const [promote = []] = linesOf(recorded.err)
  const promoted = run(promote.map((word) => word.replace('NAME', 'new')))
  expect(promoted.code, promoted.err).toBe(0)
  const [repeat = []] = linesOf(promoted.err)
  expect(repeat.join(' ')).toBe('skills-eval run -C app evals/new.eval.yaml --filter =hello --config own.json')
  expect(run(repeat).code).toBe(0)

  const unknown = p.cli(['agent', 'runs', 'show', 'nowhere', '-C', 'app'])
  const [list] = linesOf(unknown.err)
  expect(run(list).out).toContain('answered')
})
