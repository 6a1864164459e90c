import { useMemo } from 'preact/hooks'
import { actionTypeOf, mainParam } from '../../core/actions.ts'
import { formatDuration, plural } from '../../report/format-number.ts'
import { shownJson } from '../../report/json-text.ts'
import type { ActionResult } from '../../schema/run.ts'
import { followPlan, type ShownStep } from '../follow-plan.ts'
import { marksIn, type Quote, shownParams } from '../quotes.ts'
import { Other } from './other.tsx'
import { Block, Line } from './text.tsx'

type Turn = { readonly turn: number; readonly actions: readonly (readonly [number, ActionResult])[] }

type TimelineProps = {
  readonly actions: readonly ActionResult[]
  /** What judges quoted of files. */
  readonly quotes: readonly Quote[]
}

/** A trajectory, turn by turn: what the model asked for, what decided about it, what came of it, and how its plan went on. */
export const Timeline = ({ actions, quotes }: TimelineProps) => {
  if (actions.length === 0) return <p>No action was taken.</p>
  const plans = followPlan(actions)
  const spans = spansOf(actions)
  return (
    <ol class="timeline">
      {turnsOf(actions).map(({ turn, actions: done }) => (
        <li key={done[0]?.[0]}>
          <p class="turn">Turn {turn}</p>
          {done.map(([i, action]) => (
            <Action key={i} action={action} plan={plans.get(i)} span={spans[i]} quotes={quotes} />
          ))}
        </li>
      ))}
    </ol>
  )
}

const turnsOf = (actions: readonly ActionResult[]): readonly Turn[] => {
  const turns: { turn: number; actions: (readonly [number, ActionResult])[] }[] = []
  for (const [i, action] of actions.entries()) {
    const last = turns.at(-1)
    if (last?.turn === action.turn) last.actions.push([i, action])
    else turns.push({ turn: action.turn, actions: [[i, action]] })
  }
  return turns
}

const outcomes = { ok: 'ok', error: 'error', denied: 'denied' } as const

type ActionProps = {
  readonly action: ActionResult
  readonly plan: readonly ShownStep[] | undefined
  readonly span: Span | undefined
  readonly quotes: readonly Quote[]
}

/** A part of the time that all actions took together, from 0 to 1. */
type Span = { readonly from: number; readonly share: number }

const spansOf = (actions: readonly ActionResult[]): readonly Span[] => {
  const times = actions.map(({ duration_ms }) => (duration_ms > 0 ? duration_ms : 0))
  const total = times.reduce((sum, time) => sum + time, 0)
  let before = 0
  return times.map((time) => {
    const span = total > 0 ? { from: before / total, share: time / total } : { from: 0, share: 0 }
    before += time
    return span
  })
}

const Action = ({ action, plan, span = { from: 0, share: 0 }, quotes }: ActionProps) => {
  const { status, rule, exit_code, duration_ms, observation, params } = action
  const nested = nestedActions(action)
  return (
    <details class={`action ${status}`} open={status !== 'ok' || plan !== undefined}>
      <summary>
        <span class="what">
          <b>
            <Line text={action.action} max={60} />
          </b>{' '}
          <Line text={mainText(action)} max={160} />
        </span>
        <span class="outcome">
          {outcomes[status] ?? status}
          {exit_code !== undefined && `, exit ${exit_code}`}
        </span>
        <span class="took">
          <svg viewBox="0 0 80 4" class="bar" aria-hidden="true">
            <rect y="1.5" width="80" height="1" class="axis" />
            <rect
              x={Math.min(79, span.from * 80)}
              width={span.share > 0 ? Math.max(1, span.share * 80) : 0}
              height="4"
            />
          </svg>{' '}
          {formatDuration(duration_ms)}
        </span>
      </summary>
      <div class="inside">
        {rule !== undefined && (
          <p>
            <span class="faint">decided by</span>{' '}
            <code>
              <Line text={rule} max={500} />
            </code>
          </p>
        )}
        {plan !== undefined && <PlanSteps steps={plan} />}
        {plan === undefined && <Params params={params} quotes={quotes} />}
        {observation !== '' && !(plan !== undefined && status === 'ok') && (
          <>
            <p class="faint">observation</p>
            <MarkedBlock text={observation} quotes={quotes} />
          </>
        )}
        {nested.length > 0 && (
          <section class="nested">
            <p class="faint">what the sub-agent did</p>
            <Timeline actions={nested} quotes={quotes} />
          </section>
        )}
        <Other part="action" of={action} />
      </div>
    </details>
  )
}

const Params = ({ params, quotes }: Pick<ActionResult, 'params'> & Pick<ActionProps, 'quotes'>) => {
  const { json, texts } = shownParams(params)
  return (
    <>
      {json !== undefined && (
        <>
          <p class="faint">parameters</p>
          <MarkedBlock text={json} quotes={quotes} />
        </>
      )}
      {texts.map(([name, text]) => (
        <div key={name}>
          <p class="faint">
            <Line text={name} />
          </p>
          <MarkedBlock text={text} quotes={quotes} />
        </div>
      ))}
    </>
  )
}

const MarkedBlock = ({ text, quotes }: { readonly text: string } & Pick<ActionProps, 'quotes'>) => {
  const marks = useMemo(() => marksIn(text, quotes), [text, quotes])
  return <Block text={text} marks={marks} />
}

/** The parameter that stands for the whole, as in the short forms of a suite. */
const mainText = ({ action, params }: ActionResult): string => {
  const type = actionTypeOf(action)
  const main = type !== undefined && Object.hasOwn(params, mainParam(type)) ? params[mainParam(type)] : undefined
  if (type === 'update_plan') return Array.isArray(main) ? plural(main.length, 'step') : ''
  if (type === 'select_skills' && Array.isArray(main)) return main.map(nameOf).join(', ')
  const args = type === 'run_script' && Array.isArray(params.args) ? ` ${params.args.map(shortText).join(' ')}` : ''
  return main === undefined ? '' : shortText(main) + args
}

const nameOf = (ref: unknown): string =>
  typeof ref === 'object' && ref !== null && 'name' in ref ? shortText(ref.name) : shortText(ref)

const shortText = (value: unknown): string => (typeof value === 'string' ? value : shownJson(value)).slice(0, 400)

/** An agent that was started by this action tells its own actions inside. */
const nestedActions = (action: object): readonly ActionResult[] =>
  'actions' in action && Array.isArray(action.actions) && action.actions.every(isAction) ? action.actions : []

const isAction = (value: unknown): value is ActionResult =>
  typeof value === 'object' &&
  value !== null &&
  'action' in value &&
  typeof value.action === 'string' &&
  'observation' in value &&
  typeof value.observation === 'string' &&
  'params' in value &&
  typeof value.params === 'object' &&
  value.params !== null

const stepMarks: Readonly<Record<string, string>> = { pending: '○', in_progress: '◐', completed: '●' }

const PlanSteps = ({ steps }: { readonly steps: readonly ShownStep[] }) => (
  <ul class="plan">
    {steps.map(({ id, title, status, change }) => (
      <li key={id} class={change}>
        <span aria-hidden="true">{stepMarks[status] ?? '?'}</span> <Line text={title} />{' '}
        <span class="faint">
          {status.replaceAll('_', ' ')}
          {change !== 'same' && `, ${change}`}
        </span>
      </li>
    ))}
  </ul>
)
