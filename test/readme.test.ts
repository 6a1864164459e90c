import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseSuite } from '../src/suite/parse-suite.ts'
import { project, root } from './support/cli.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1] ?? '')
/** Durations, widths of columns and tokens (the prompt names the skill's folder) differ from machine to machine. */
const settled = (text: string): string =>
  text
    .replace(/\d[\d.,]* (ms|s)\b/g, 'TIME')
    .replace(/[\d,]+ (in|out)\b/g, 'N $1')
    .replace(/ {2,}/g, '  ')
    .trim()

describe('the README', () => {
  test('shows a suite that runs, and the output that it really has', () => {
    using here = project()
    expect(here.cli(['init']).code).toBe(0)
    const [suite = ''] = blocks(readme, 'yaml')
    const [shown = ''] = blocks(readme, 'console')
    const [command = '', ...output] = shown.split('\n')
    expect(command).toMatch(/^\$ npx skills-eval run /)
    here.write({ 'evals/readme.eval.yaml': suite })
    const result = here.cli(command.replace('$ npx skills-eval ', '').split(' '))
    expect(settled(result.out)).toBe(settled(output.join('\n')))
    expect(result.code).toBe(0)
  })

  test('is at most 150 lines, with the example in the first 40', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(150)
    expect(readme.split('\n').slice(0, 40).join('\n')).toContain('1 case: 1 passed')
  })

  test('names no command or option that the program does not have', () => {
    using here = project()
    const help = ['run', 'skills', 'init', 'new', 'schema']
      .map((command) => here.cli([command, '--help']).out)
      .join('\n')
    const options = [...new Set([...readme.matchAll(/`(--[a-z-]+)`/g)].map((match) => match[1] ?? ''))]
    expect(options.length).toBeGreaterThan(8)
    expect(options.filter((option) => !help.includes(option))).toEqual([])
  })
})

describe('the guides', () => {
  const guides = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'))
  const suites = guides.flatMap((file) =>
    blocks(readFileSync(join(root, 'docs', file), 'utf8'), 'yaml').map(
      (text, i) => [`${file} ${i + 1}`, text] as const,
    ),
  )

  test.each(suites)('%s is a suite without a mistake', async (_name, text) => {
    const { diagnostics } = await parseSuite(text, { file: 'guide' })
    // The guide on cases from runs shows one as it was written.
    expect(diagnostics.filter(({ code }) => code !== 'suite/unreviewed')).toEqual([])
  })

  test('on long runs names no option that the program does not have', () => {
    using here = project()
    const text = readFileSync(join(root, 'docs/long-runs.md'), 'utf8')
    const help = ['run', 'merge'].map((command) => here.cli([command, '--help']).out).join('\n')
    const options = [...new Set([...text.matchAll(/--[a-z-]+/g)].map(([option]) => option))]
    expect(options.length).toBeGreaterThan(12)
    expect(options.filter((option) => !help.includes(option))).toEqual([])
  })

  test('on running the agent names no option, command or key that the program does not have', () => {
    using here = project()
    const text = readFileSync(join(root, 'docs/agent-cli.md'), 'utf8')
    const help = [['agent', 'run'], ['agent', 'chat'], ['agent', 'runs', 'promote'], ['run']].map(
      (words) => here.cli([...words, '--help']).out,
    )
    const options = [...new Set([...text.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option))]
    expect(options.length).toBeGreaterThan(15)
    expect(options.filter((option) => !help.join('\n').includes(option))).toEqual([])
    here.write({ 'turns.yaml': '- final_answer: x\n', lines: '/help\n' })
    const { stderr } = here.shell(['agent', 'chat', '--mock', 'turns.yaml'], '< lines')
    const commands = [...new Set([...text.matchAll(/`(\/[a-z-]+)/g)].map((match) => match[1] ?? ''))]
    expect(commands.length).toBeGreaterThan(9)
    expect(commands.filter((command) => !stderr.includes(command))).toEqual([])
  })

  test('link to files that are there', () => {
    for (const file of ['README.md', ...guides.map((guide) => `docs/${guide}`)]) {
      const text = readFileSync(join(root, file), 'utf8')
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] ?? '')
      for (const link of links) expect(() => readFileSync(join(root, file, '..', link))).not.toThrow()
    }
  })
})
