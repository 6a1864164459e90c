// Records evals/recorded/ anew through a server that speaks the providers' formats over HTTP; what it answers is written
// in evals/recorded/answers/. usage: node scripts/record-shipped.mjs [--into FOLDER]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { LLMock } from '@copilotkit/aimock'
import { parse, stringify } from 'yaml'

const root = resolve(import.meta.dirname, '..')
const { values: options } = parseArgs({ options: { into: { type: 'string', default: join(root, 'recordings') } } })
const readYaml = (path) => parse(readFileSync(join(root, path), 'utf8'))

const answers = new Map()
for (const file of readdirSync(join(root, 'evals/recorded/answers')).sort()) {
  for (const [question, turns] of Object.entries(readYaml(`evals/recorded/answers/${file}`))) {
    if (answers.has(question)) throw new Error(`${file}: "${question}" is answered twice`)
    answers.set(question, turns)
  }
}

const { models, ...settings } = readYaml('.agent/config.yaml')
const live = Object.entries(models).filter(([, { provider }]) => provider !== 'mock')
const textModels = new Set(live.flatMap(([, { protocol, model }]) => (protocol === 'text' ? [model] : [])))

const server = new LLMock({ port: 0, logLevel: 'silent' })
server.on({}, answerer())
await server.start()
const scratch = mkdtempSync(join(tmpdir(), 'record-shipped-'))
try {
  const config = {
    ...settings,
    models: Object.fromEntries(live.map(([name, profile]) => [name, { ...profile, ...local(server.url) }])),
    recordings: resolve(options.into),
    reports: join(scratch, 'reports'),
  }
  writeFileSync(join(scratch, 'config.yaml'), stringify(config))
  const words = ['record', 'evals/recorded', '--config', join(scratch, 'config.yaml'), '--concurrency', '1', '--quiet']
  // No key is needed, so none is there.
  const { ANTHROPIC_API_KEY: _, OPENAI_API_KEY: __, ...env } = process.env
  const program = spawn(process.execPath, [join(root, 'dist/skills-eval.cjs'), ...words], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  const [code] = await once(program, 'close')
  process.exitCode = code ?? 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
  await server.stop()
}

/** What is no part of a recording: where the model is asked, how often, and at what price. */
function local(url) {
  return { base_url: `${url}/v1`, max_retries: 0, price: { input: 0, output: 0 } }
}

/**
 * Answers turn by turn. One trial is recorded at a time, so a request without an answer in it begins the next one of
 * its question; that of a sub-agent is asked while its agent's is still open.
 */
function answerer() {
  const begun = new Map()
  const open = new Map()
  return ({ model, messages }) => {
    const question = questionOf(textOf(messages.find(({ role }) => role === 'user')))
    const key = `${model} ${question}`
    if (!messages.some(({ role }) => role === 'assistant')) {
      const n = begun.get(key) ?? 0
      begun.set(key, n + 1)
      const found = answers.get(question) ?? []
      open.set(key, { turns: Array.isArray(found) ? found : (found.trials[n] ?? []), at: 0 })
    }
    const talk = open.get(key) ?? { turns: [], at: 0 }
    const turn = talk.turns[talk.at]
    talk.at += 1
    if (turn === undefined)
      return { error: { message: `no answer is written for turn ${talk.at} of this` }, status: 400 }
    return textModels.has(model) ? inText(turn, talk.at) : inCalls(turn, talk.at)
  }
}

/** A judge's answers are written by the criteria that it is asked about, a sub-agent's by its skill and its task. */
function questionOf(said) {
  // Where a conversation was shortened, that is told behind the question.
  const [text = ''] = said.split('[To keep this conversation')
  const [, skill, task] = /^<skill name="([^"]*)"[\s\S]*\n<\/skill>\n\n[^\n]*\n\n([\s\S]*)$/.exec(text) ?? []
  if (skill !== undefined) return `${skill}: ${task.split('\n', 1)[0]}`
  return /^Criteria:\n([\s\S]*?)\n\n\[[\da-f]{16}\] /.exec(text)?.[1] ?? text
}

function textOf({ content }) {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}

function inCalls(turn, at) {
  const { say = turn, do: calls = [] } = typeof turn === 'string' ? {} : { say: '', ...turn }
  const toolCalls = calls.flatMap((call) =>
    Object.entries(call).map(([name, input]) => ({ name, arguments: JSON.stringify(input) })),
  )
  return { content: say, ...(toolCalls.length > 0 ? { toolCalls } : {}), usage: usageOf(turn, at) }
}

function inText(turn, at) {
  const calls = typeof turn === 'string' ? [{ final_answer: { text: turn } }] : turn.do
  const actions = calls.flatMap((call) => Object.entries(call).map(([action, params]) => ({ action, params })))
  return { content: JSON.stringify(actions.length === 1 ? actions[0] : { actions }), usage: usageOf(turn, at) }
}

/** Made up, and always the same: the paths of a machine have their part in what a request really has. */
function usageOf(turn, at) {
  const input = 1600 + 400 * at
  const output = Math.ceil(JSON.stringify(turn).length / 4)
  return { prompt_tokens: input, completion_tokens: output, input_tokens: input, output_tokens: output }
}
