import { describe, expect, test } from 'vitest'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import type { ModelRequest } from '../core/model.ts'
import type { MockScript } from '../schema/mock.ts'
import { mockOptions, runInMemory, type Setting, skillsOf, skillText } from './agent.test-support.ts'
import { mockModel } from './mock-model.ts'

const skills = skillsOf({
  '/skills/fix/SKILL.md': skillText('fix', 'arguments: issue branch\n', 'Fix $issue on $branch: $ARGUMENTS.'),
  '/skills/port/SKILL.md': skillText('port', '', 'Port $0 to $1 with ${CLAUDE_SKILL_DIR}/port.sh.'),
  '/skills/plain/SKILL.md': skillText('plain', '', 'Do as you are told for \\$5.'),
  '/skills/alone/SKILL.md': skillText('alone', 'run-mode: subagent\n', 'Look up $ARGUMENTS.'),
})

const run = async (inputs: readonly string[], mock: MockScript = ['Done.', 'Done.'], setting: Setting = {}) => {
  const requests: ModelRequest[] = []
  const inner = mockModel(mock, mockOptions(memoryClock()))
  const model = {
    ...inner,
    generate: (request: ModelRequest, options: { readonly signal: AbortSignal }) => {
      requests.push(structuredClone(request))
      return inner.generate(request, options)
    },
  }
  const outcome = await runInMemory(mock, { skills, ...setting, inputs, model })
  const users = requests.at(-1)?.messages.flatMap((message) => (message.role === 'user' ? [message.text] : [])) ?? []
  return { requests, outcome, users }
}

const body = (name: string, text: string) =>
  `<skill name="${name}" source="project" folder="/skills/${name}">\n${text}\n</skill>`

describe('what a person says behind the name of a skill', () => {
  test('goes to the placeholders of its instructions, and not behind them too', async () => {
    const { users, requests } = await run(['/fix 42 "hot fix"'])
    const text = body('fix', 'Fix 42 on hot fix: 42 "hot fix".')
    expect(users).toEqual([text])
    expect(requests[0]?.messages[0]).toMatchObject({ bodies: [{ skill: 'fix', text }] })
  })

  test('is never expanded again', async () => {
    const { users } = await run(['/port $1 ${CLAUDE_SKILL_DIR}'])
    expect(users).toEqual([body('port', 'Port $1 to ${CLAUDE_SKILL_DIR} with /skills/port/port.sh.')])
  })

  test('stands behind instructions that have no place for it', async () => {
    expect((await run(['/plain all of it'])).users).toEqual([
      `${body('plain', 'Do as you are told for $5.')}\n\nall of it`,
    ])
  })

  test('stands behind several skills unless each of them has a place for it', async () => {
    const fix = body('fix', 'Fix a on b: a b.')
    const port = body('port', 'Port a to b with /skills/port/port.sh.')
    expect((await run(['/fix /port a b'])).users).toEqual([`${fix}\n\n${port}`])
    const plain = body('plain', 'Do as you are told for $5.')
    expect((await run(['/fix /plain a b'])).users).toEqual([`${fix}\n\n${plain}\n\na b`])
  })

  test('is nothing where there is nothing', async () => {
    expect((await run(['/fix'])).users).toEqual([body('fix', 'Fix  on : .')])
    expect((await run(['/port'])).users).toEqual([body('port', 'Port $0 to $1 with /skills/port/port.sh.')])
  })

  test('is told as it is where the skill is loaded already', async () => {
    const { users } = await run(['/fix 1 a', '/fix 2 b'])
    expect(users[1]).toBe(
      '[fix is already loaded; its instructions are above. Where they have arguments, what the user says now is meant.]\n\n2 b',
    )
    expect((await run(['/plain a', '/plain b'])).users[1]).toBe(
      '[plain is already loaded; its instructions are above.]\n\nb',
    )
  })

  test('is not for a skill that the model selects by itself', async () => {
    const { requests } = await run(['Port it to Vue'], [{ select_skills: ['port', 'fix'] }, 'Done.'])
    const result = requests[1]?.messages.at(-1)
    expect(result?.role === 'tool' ? result.results[0]?.text : undefined).toBe(
      [
        body('port', 'Port $0 to $1 with /skills/port/port.sh.'),
        body('fix', 'Fix $issue on $branch: $ARGUMENTS.'),
      ].join('\n\n'),
    )
  })

  test('is for a skill that runs on its own, once it is started in that request', async () => {
    const mock = {
      turns: [{ select_skills: 'alone' }, 'Done.', { select_skills: 'alone' }, 'Done.'],
      subagents: { alone: ['Found.', 'Found.'] },
    }
    const { requests } = await run(['/alone the tide', 'And once more'], mock)
    const started = requests.filter(({ conversation }) => conversation !== undefined)
    expect(started.map(({ messages: [first] }) => (first?.role === 'user' ? first.text.split('\n')[1] : ''))).toEqual([
      'Look up the tide.',
      'Look up $ARGUMENTS.',
    ])
  })
})
