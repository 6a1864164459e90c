import * as z from 'zod'
import { recordModes } from '../core/record-mode.ts'

/** The options of each function, each described so that "it must be" can stand before it. */

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isFunction = (value: unknown): boolean => typeof value === 'function'

const text = (what: string) => z.string().min(1).optional().describe(what)
const texts = (what: string) => z.array(z.string().min(1)).optional().describe(`a list of ${what}`)
const whole = (min: number) => z.int().min(min).optional().describe(`a whole number, at least ${min}`)
const flag = z.boolean().optional().describe('true or false')
const called = (what: string) => z.custom(isFunction).optional().describe(`a function: ${what}`)
/** One of another realm is a signal too. */
const isSignal = (value: unknown): boolean =>
  isObject(value) && 'aborted' in value && 'addEventListener' in value && isFunction(value.addEventListener)

const surroundings = {
  cwd: text('a folder'),
  signal: z.custom(isSignal).optional().describe('an AbortSignal'),
  env: z.custom(isObject).optional().describe('an object of variables'),
  isCi: flag,
  onNotice: called('onNotice(text)'),
}

const tools = z.array(z.unknown()).optional().describe('a list of tools from defineTool')

const listeners = ['started', 'trialStarted', 'trialFinished', 'caseFinished', 'finished']
/** Whoever listens as an object of a class has what else it likes. */
const isListener = (value: unknown): boolean => {
  if (!isObject(value)) return false
  const named = value as Readonly<Record<string, unknown>>
  const isPlain = Object.getPrototypeOf(value) === Object.prototype
  return (
    listeners.every((name) => named[name] === undefined || isFunction(named[name])) &&
    !(isPlain && Object.keys(value).some((name) => !listeners.includes(name)))
  )
}

export const suitesOptionsSchema = z.strictObject({
  ...surroundings,
  paths: z
    .union([z.string().min(1), z.array(z.string().min(1))])
    .optional()
    .describe('a path or a list of paths'),
  config: text('the path of a configuration'),
  models: texts('model profiles'),
  filter: texts('ids, globs or parts of ids'),
  tags: texts('tags'),
  skills: texts('skills'),
  trials: whole(1),
  concurrency: whole(1),
  bail: whole(1),
  maxCostUsd: z.number().positive().optional().describe('an amount of USD above 0'),
  seed: whole(0),
  baseline: text('without_skills, without:NAME or a folder'),
  minLift: z.number().min(0).max(1).optional().describe('a share from 0 to 1'),
  passWithNoCases: flag,
  trustSuites: flag,
  record: z
    .enum(recordModes)
    .optional()
    .describe(`one of ${recordModes.join(', ')}`),
  audit: z.enum(['warn', 'fail']).optional().describe('warn or fail'),
  allowStale: flag,
  retries: whole(0),
  tools,
  on: z
    .custom(isListener)
    .optional()
    .describe(`an object of functions: ${listeners.join(', ')}`),
})

/** What a timer of Node can wait, less the minute that vitest waits longer. */
const longestMs = 2 ** 31 - 1 - 60_000
export const skillTestOptionsSchema = suitesOptionsSchema.omit({ on: true, passWithNoCases: true }).extend({
  timeoutMs: z.number().positive().max(longestMs).optional().describe(`milliseconds above 0, at most ${longestMs}`),
})

export const agentOptionsSchema = z.strictObject({
  ...surroundings,
  prompt: z.string().regex(/\S/).describe('a text: the task'),
  config: text('the path of a configuration'),
  model: text('a model profile'),
  mock: text('the path of a script'),
  skills: texts('skills'),
  allow: texts('grants: TOOL or TOOL:PATTERN'),
  mcp: texts('MCP servers of the configuration'),
  tools,
  approve: called('approve(question, { signal })'),
  onEvent: called('onEvent(event)'),
})
