import { expect, test } from 'vitest'
import { sampleCase, sampleSuite } from '../../test/support/sample-run.ts'
import { repeatCommand, suitesCommand } from './repeat-command.ts'

test('repeatCommand is one shell line for just this case', () => {
  const result = sampleCase({ id: "it's", model: 'b' })
  const { head } = sampleSuite('s', [sampleCase({ model: 'a' }), result], { path: '-x y\n.yaml' })
  expect(repeatCommand(head, result)).toBe("skills-eval run './-x y\\n.yaml' --filter '=it'\\''s' --model b")
})

test('suitesCommand works where the run worked, with its configuration', () => {
  const suites = [{ path: 'evals/a.eval.yaml' }, { path: 'it.eval.yaml' }]
  const place = { folder: ['-C', 'my app'], config: ['--config', 'own.json'], from: 'evals' }
  expect(suitesCommand('run', suites, place, ['--record', 'stale'])).toBe(
    "skills-eval run -C 'my app' a.eval.yaml ../it.eval.yaml --record stale --config own.json",
  )
  expect(suitesCommand('skills coverage', [{ path: '-x' }], { folder: [], config: [], from: '' })).toBe(
    'skills-eval skills coverage ./-x',
  )
})
