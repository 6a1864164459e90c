import { allInput, allOutput } from '../core/usage.ts'
import type { AgentRun } from '../schema/audit.ts'
import { actionLine } from './action-line.ts'
import { foreignLine, foreignLines } from './foreign-text.ts'
import { formatCost, formatDuration, formatNumber, plural } from './format-number.ts'
import { runsTable } from './runs-table.ts'
import { painter, type Tone } from './tone.ts'

export type RunTextOptions = { readonly color: boolean; readonly width: number }

/** A record in the list; `problem` where it could not be read. */
export type RunRow = { readonly id: string } & ({ readonly run: AgentRun } | { readonly problem: string })

/** What `runs list` prints: a row for each run, newest first. */
export const runsListText = (runs: readonly RunRow[], total: number, options: RunTextOptions): Promise<string> =>
  runsTable(columns, runs.map(row), total, options)

const columns = [
  { title: 'run', align: 'left' },
  { title: 'started', align: 'left', drop: 3 },
  { title: 'took', drop: 2 },
  { title: 'result', align: 'left' },
  { title: 'actions' },
  { title: 'cost', drop: 1 },
  { title: 'request', align: 'left', shrinks: 'end' },
] as const

const row = (listed: RunRow) => {
  const id = { text: foreignLine(listed.id, 60), tone: 'strong' as const }
  if ('problem' in listed) {
    return [id, '', '', { text: 'unreadable', tone: 'bad' as const }, '', '', foreignLine(listed.problem, 160)]
  }
  const { run } = listed
  return [
    id,
    startedText(run),
    formatDuration(run.duration_ms),
    { text: stopText(run), tone: toneOf(run) },
    formatNumber(run.actions.length),
    formatCost(run.cost_usd),
    foreignLine(run.request.head, 160),
  ]
}

const startedText = (run: AgentRun): string => `${run.started_at.slice(0, 10)} ${run.started_at.slice(11, 16)}`

const stopText = ({ stop }: AgentRun): string => foreignLine(stop.code ?? stop.kind, 40)

const toneOf = ({ stop }: AgentRun): Tone => {
  if (stop.kind === 'answered') return 'good'
  return stop.kind === 'interrupted' ? 'warn' : 'bad'
}

const SHOWN = { maxLines: 20, maxLength: 500 }

/** What `runs show` prints: what was asked, loaded, done and decided, and the line that does it again. */
export const agentRunText = (run: AgentRun, options: Pick<RunTextOptions, 'color'>): string => {
  const paint = painter(options.color)
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', paint(title, 'strong'), ...lines.map((line) => `  ${line}`)]
  const lines = [
    ...facts(run).map(([name, value]) => `${name.padEnd(11)}${value}`),
    ...section('asked', foreignLines(run.request.head, SHOWN)),
    ...section('skills', run.skills.map(skillLine)),
    ...section(
      'resources',
      run.resources.map(
        ({ turn, skill, path, bytes }) =>
          `${turn} ${foreignLine(skill)}: ${foreignLine(path, 500)} (${plural(bytes, 'byte')})`,
      ),
    ),
    ...section('done', run.actions.flatMap(actionLines)),
    ...section('approvals', run.approvals.map(approvalLine)),
    ...section('answer', run.answer ? foreignLines(run.answer.head, SHOWN) : []),
    ...section('again', run.repeat === '' ? [] : [foreignLine(run.repeat, 10_000)]),
  ]
  return `${lines.join('\n')}\n`
}

const facts = (run: AgentRun): readonly (readonly [string, string])[] => {
  const [input, output] = [allInput(run.usage), allOutput(run.usage)]
  const tokens = `${input === null ? '–' : formatNumber(input)} in, ${output === null ? '–' : formatNumber(output)} out`
  const answered = run.model.answered.length === 0 ? '' : ` (${foreignLine(run.model.answered.join(', '))})`
  const message = run.stop.message === undefined ? '' : `: ${foreignLine(run.stop.message, 500)}`
  return [
    ['run', foreignLine(run.id)],
    ['started', `${foreignLine(run.started_at)}, took ${formatDuration(run.duration_ms)}`],
    ['result', `${stopText(run)}${message}`],
    ['folder', foreignLine(run.folder, 500)],
    ['model', `${foreignLine(run.model.profile)}${answered}`],
    ['tokens', `${tokens}, ${formatCost(run.cost_usd)}`],
    ...(run.isolation === undefined ? [] : [['isolation', foreignLine(run.isolation)] as const]),
    ['version', foreignLine(run.tool.version)],
  ]
}

const skillLine = ({ name, source, by, digest }: AgentRun['skills'][number]): string =>
  `${foreignLine(name)} (${foreignLine(source)}), by the ${by}${digest === null ? '' : `, ${foreignLine(digest)}`}`

const actionLines = (action: AgentRun['actions'][number]): readonly string[] => {
  const { output, rule, verdict, actions: nested = [], ...result } = action
  const line = actionLine({ ...result, ...(rule === undefined ? {} : { rule }), observation: output.head })
  const isFree = rule === undefined || action.status === 'denied'
  const decided = isFree ? [] : [`    ${verdict ?? 'by'}: ${foreignLine(rule)}`]
  const size = `${plural(output.characters, 'character')}, ${foreignLine(output.digest.slice(0, 19))}…`
  const why = action.status === 'error' ? foreignLines(output.head, { maxLines: 3, maxLength: 300 }) : []
  return [
    line,
    ...why.map((said) => `    ${said}`),
    ...decided,
    ...(output.characters === 0 ? [] : [`    output: ${size}`]),
    ...nested.flatMap(actionLines).map((said) => `    ${said}`),
  ]
}

const approvalLine = (approval: AgentRun['approvals'][number]): string => {
  const { turn, action, target, rule, answer, by, reason } = approval
  const answered = { once: 'yes, once', run: 'yes, for this run', no: 'no', nobody: 'nobody was there' }[answer]
  const what = target === '' ? foreignLine(action) : `${foreignLine(action)} ${foreignLine(target, 500)}`
  const said = reason === undefined ? '' : `: ${foreignLine(reason, 500)}`
  return `${turn} ${what} (${foreignLine(rule)}) → ${answered}${by === undefined ? '' : `, by ${foreignLine(by)}`}${said}`
}
