import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseXml, type XmlElement } from '../../test/support/parse-xml.ts'
import {
  hostileSuite,
  render,
  runOf,
  type SampleRun,
  sampleCase,
  sampleRun,
  sampleSuite,
  sampleTrial,
} from '../../test/support/sample-run.ts'
import { junitReporter } from './junit-report.ts'

const junit = (run: SampleRun) => render(junitReporter(), run)
const casesOf = (root: XmlElement) =>
  root.children.flatMap((suite) => suite.children.filter((one) => one.name === 'testcase'))
const childOf = (element: XmlElement | undefined, name: string) => element?.children.find((one) => one.name === name)
const propertiesOf = (element: XmlElement | undefined) =>
  Object.fromEntries(
    childOf(element, 'properties')!.children.map(({ attributes }) => [attributes.name, attributes.value]),
  )

const fileOf = (text: string): string => {
  const dir = mkdtempSync(join(tmpdir(), 'junit-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'junit.xml'), text)
  return join(dir, 'junit.xml')
}

/** Optional: validates against an XML schema where it is installed. */
const validator = 'xmllint'

const has = (program: string) => spawnSync(program, ['--version']).error === undefined

describe('junitReporter', () => {
  test('tells a whole run', async () => {
    await expect(junit(sampleRun())).toMatchFileSnapshot('__golden__/sample.golden.xml')
  })

  test('gives a suite on each of its models an element whose counts are those of its cases', () => {
    const root = parseXml(junit(sampleRun()))
    expect(root.children.map(({ attributes }) => attributes.name)).toEqual([
      'csv [mock]',
      'csv [gpt-5]',
      'states',
      expect.stringMatching(/…|\]$/),
      expect.stringMatching(/mock\]$/),
    ])
    for (const element of [...root.children, root]) {
      const cases = element === root ? casesOf(root) : casesOf({ ...root, children: [element] })
      const having = (name: string) => String(cases.filter((one) => childOf(one, name)).length)
      expect(element.attributes).toMatchObject({
        tests: String(cases.length),
        failures: having('failure'),
        errors: having('error'),
        skipped: having('skipped'),
        timestamp: '2026-01-02T03:04:05',
      })
    }
  })

  test('tells a stale case as an error of type stale, and an error by its code', () => {
    const [, , states] = parseXml(junit(sampleRun())).children
    const outcomes = states!.children.flatMap((one) =>
      one.children.filter(({ name }) => ['failure', 'error', 'skipped'].includes(name)),
    )
    expect(outcomes.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['error', { message: 'the mock has no turn 2', type: 'mock_exhausted' }],
      ['error', { message: 'description of csv-analyzer: "a" → "b"', type: 'stale' }],
      ['skipped', { message: 'needs a network' }],
      ['failure', { message: 'expected to fail (upstream bug), but passed', type: 'failed' }],
    ])
  })

  test('gives a case its place, time and numbers, and leaves out numbers that are not known', () => {
    const [greets, , sometimes] = casesOf(parseXml(junit(sampleRun())))
    expect(greets?.attributes).toEqual({
      name: 'greets',
      classname: 'csv [mock]',
      file: 'evals/csv.eval.yaml',
      line: '4',
      time: '0.150',
    })
    expect(propertiesOf(greets)).toEqual({
      trials: '1',
      pass_rate: '1',
      score: '1',
      input_tokens: '100',
      output_tokens: '20',
      cost_usd: '0.001',
      flaky: 'false',
      tags: 'smoke, fast',
    })
    expect(propertiesOf(sometimes)).toEqual({
      trials: '2',
      pass_rate: '0.5',
      score: '0.5',
      output_tokens: '25',
      flaky: 'true',
    })
  })

  test('names the class after the suite alone where it has one model', () => {
    const root = parseXml(junit(runOf([sampleSuite('csv', [sampleCase()])])))
    expect([root.children[0]?.attributes.name, casesOf(root)[0]?.attributes.classname]).toEqual(['csv', 'csv'])
  })

  test('has one system-out a case, for all its trials', () => {
    const sometimes = casesOf(parseXml(junit(sampleRun())))[2]
    expect(sometimes?.children.map(({ name }) => name)).toEqual(['properties', 'failure', 'system-out'])
    expect(childOf(sometimes, 'system-out')?.text).toBe(
      'trial 1: passed\ntrial 2: failed (csv-analyzer was not selected)',
    )
  })

  test.each([
    ['no suite', runOf([])],
    ['a suite without cases', runOf([sampleSuite('empty', [])])],
  ])('is XML for %s', (_, run) => {
    expect(parseXml(junit(run))).toMatchObject({ name: 'testsuites', attributes: { tests: '0' }, children: [] })
  })

  test('is well-formed whatever the texts are', () => {
    const pieces = fc.constantFrom(
      ']]>',
      '<![CDATA[',
      '<!--',
      '&#0;',
      '&amp;',
      '"',
      "'",
      '<',
      '>',
      '\x00',
      '\x0b',
      '\ufffe',
      '\uffff',
      '\ud800',
      '\u{1fffe}',
      '\n',
      '\r',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(text, (hostile) => {
        const root = parseXml(junit(runOf([hostileSuite(hostile)])))
        expect(casesOf(root)).toHaveLength(3)
      }),
    )
  })

  test('keeps no more than 64 KiB of text for a case, and stays well-formed', () => {
    const big = '<&"漢\x01'.repeat(50_000)
    const action = {
      turn: 1,
      action: 'grep',
      params: { pattern: big },
      status: 'ok',
      observation: big,
      duration_ms: 1,
    } as const
    const check = {
      name: big,
      kind: 'equals',
      passed: false,
      score: 0,
      weight: 1,
      message: `${big}\n`.repeat(9),
      expected: big,
      actual: `${big}\n${big}`,
    }
    const trial = sampleTrial({
      status: 'failed',
      output: big,
      actions: Array(5000).fill(action),
      checks: Array(5000).fill(check),
    })
    const xml = junit(runOf([sampleSuite('s', [sampleCase({ status: 'failed', trials: [trial, trial] })])]))
    const texts = ['failure', 'system-out'].map((name) => childOf(casesOf(parseXml(xml))[0], name)!.text)
    for (const text of texts) expect(text.endsWith('\n… cut here')).toBe(true)
    expect(Buffer.byteLength(xml)).toBeLessThan(72 * 1024)
  })

  test.runIf(has('python3'))('is read by another XML parser as by ours', () => {
    const script =
      'import sys, json, xml.etree.ElementTree as E\n' +
      'tree = lambda e: [e.tag, dict(e.attrib), (e.text or "") + "".join(c.tail or "" for c in e), [tree(c) for c in e]]\n' +
      'print(json.dumps(tree(E.parse(sys.argv[1]).getroot())))'
    const theirs: unknown = JSON.parse(
      execFileSync('python3', ['-c', script, fileOf(junit(sampleRun()))], { encoding: 'utf8' }),
    )
    const tree = (e: XmlElement): unknown => [e.name, e.attributes, e.text, e.children.map(tree)]
    expect(theirs).toEqual(tree(parseXml(junit(sampleRun()))))
  })

  test.runIf(has(validator))('is valid against the common schema', () => {
    const schema = fileURLToPath(new URL('../../test/support/junit.xsd', import.meta.url))
    for (const run of [sampleRun(), runOf([]), runOf([sampleSuite('s', [sampleCase({ status: 'skipped' })])])]) {
      const lint = spawnSync(validator, ['--noout', '--schema', schema, fileOf(junit(run))], { encoding: 'utf8' })
      expect([lint.status, lint.stderr]).toEqual([0, expect.stringContaining('validates')])
    }
  })
})
