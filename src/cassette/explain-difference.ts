import { textDiff } from '../lib/text-diff.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Part } from './read-request.ts'

/** The difference in a person's words: a line, and a diff where the texts have several. */
export const explainDifference = async (
  name: string,
  was: Part['content'] | undefined,
  is: Part | undefined,
): Promise<string> => {
  const title = titleOf(name, is)
  if (is === undefined) return `${title} is no longer there`
  if (was === undefined) return `${title} was not there`
  if (typeof was === 'string' && typeof is.content === 'string') return `${title}: ${await changeOf(was, is.content)}`
  if (typeof was === 'string' || typeof is.content === 'string') return `${title} changed`
  const changes: string[] = []
  for (const key of [...new Set([...Object.keys(was), ...Object.keys(is.content)])].sort()) {
    const [before, after] = [own(was, key), own(is.content, key)]
    if (before !== after) changes.push(await memberChange(is.kind, key, before, after))
  }
  return changes.length === 0 ? `${title} is written otherwise` : changes.join('\n')
}

const own = (map: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined

const memberChange = async (
  kind: Part['kind'],
  key: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string> => {
  const what = { index: 'skill', tools: 'tool', params: 'parameter' }[kind as 'index' | 'tools' | 'params'] ?? 'part'
  const name = visibleLine(key, 100)
  if (before === undefined) return `${what} ${name} is new`
  if (after === undefined) return `${what} ${name} is gone`
  if (kind === 'tools') return `tool ${name} takes other parameters or is described otherwise`
  return `${kind === 'index' ? 'description of ' : `${what} `}${name}: ${await changeOf(before, after)}`
}

/** `"Mar 1200" → "March 1200"`, or a diff over several lines. */
const changeOf = async (before: string, after: string): Promise<string> => {
  const [was, is] = middles(before, after)
  if ([was, is].every((text) => text.length <= 160 && !text.includes('\n'))) return `${quoted(was)} → ${quoted(is)}`
  const diff = (await textDiff(before, after)).split('\n').slice(2, 2 + MAX_LINES)
  return ['', ...diff].join('\n  ')
}

/** What differs, without the lines at the start and the end that are the same. */
const middles = (before: string, after: string): readonly [string, string] => {
  const [a, b] = [before.trimEnd().split('\n'), after.trimEnd().split('\n')]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return [a.slice(start, a.length - end).join('\n'), b.slice(start, b.length - end).join('\n')]
}

const MAX_LINES = 40

const quoted = (text: string): string => (text === '' ? 'nothing' : `"${visibleLine(text, 200)}"`)

const judged: Readonly<Record<string, string>> = {
  prompt: 'instruction of the judge (judge:prompt)',
  params: 'parameters of the judge (judge:params)',
  criteria: 'criteria of the rubric (judge:criteria)',
  request: 'request that the judge is shown (judge:request)',
  material: 'material that is judged (judge:material)',
  repair: 'question that is asked once more (judge:repair)',
}

/** `observation:2` → `observation 2 (scripts/top.py)`. */
const titleOf = (name: string, part: Part | undefined): string => {
  const [kind = name, rest] = name.split(/:(.*)/s)
  const label = part?.label === undefined ? '' : ` (${visibleLine(part.label, 100)})`
  if (kind === 'body') return `body of ${visibleLine(rest ?? '', 100)}`
  if (kind === 'judge') return judged[rest ?? ''] ?? name
  if (kind === 'observation') return `observation ${rest}${label}`
  if (kind === 'context') return `what is left out of the conversation (${visibleLine(name, 100)})`
  if (kind === 'input' && rest !== undefined) return `input of ${visibleLine(rest, 100)}`
  return { system: 'system prompt', index: 'index of skills', tools: 'tools', params: 'model parameters' }[kind] ?? kind
}
