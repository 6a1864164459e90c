import { isShellTool } from '../core/shell-tool.ts'
import type { Trajectory, TrajectoryEvent } from '../core/trajectory.ts'
import { grantsForLine } from '../permissions/grants-for-line.ts'

/** The narrowest `--allow` for one use of a tool: it names this target and no other (its host, for a request). Undefined where none could. */
export const grantFor = (action: string, target: string): string | undefined => {
  if (target === '') return action
  // A rule has no query; the host is what a person can judge.
  if (action === 'network_request') return URL.canParse(target) ? `${action}:${new URL(target).host}` : undefined
  const pattern = target.replaceAll(/[\\*?[\]{}]/g, '\\$&')
  return pattern.length > MAX_PATTERN || pattern.trim() !== pattern ? undefined : `${action}:${pattern}`
}

// As long as a pattern can be.
const MAX_PATTERN = 1_000

/**
 * What `--allow` would have let happen: uses that nobody was there to approve, and those that were denied only because
 * no rule names them. What a rule denies, or a person, stays denied. Of a shell it names the line: its name alone would
 * let any other pass.
 */
export const missingGrants = async (trajectory: Trajectory): Promise<readonly string[]> => {
  const grants = new Set<string>()
  for (const [i, event] of trajectory.entries()) {
    const isMissing =
      (event.type === 'approval' && event.answer === 'nobody') ||
      (event.type === 'decision' && event.verdict === 'deny' && event.rule === `default: deny ${event.action}`)
    if (isMissing) for (const grant of await grantsOf(event, trajectory.slice(i))) grants.add(grant)
  }
  return [...grants]
}

type Asked = Extract<TrajectoryEvent, { type: 'approval' | 'decision' }>

const grantsOf = async (asked: Asked, after: Trajectory): Promise<readonly string[]> => {
  const { action, target, parent } = asked
  if (action !== 'call_tool' || !isShellTool(target)) {
    const grant = grantFor(action, target)
    return grant === undefined ? [] : [grant]
  }
  const done = after.find((event) => event.type === 'action' && event.parent === parent)
  const { input } = (done?.type === 'action' && done.record.params) || {}
  return (await grantsForLine(target, input)) ?? []
}

/** A command line with more `--allow`. */
export const withGrants = (command: readonly string[], grants: readonly string[]): readonly string[] =>
  withOptions(
    command,
    grants.flatMap((grant) => ['--allow', grant]),
  )

/** A command line with more options. */
export const withOptions = (command: readonly string[], options: readonly string[]): readonly string[] => {
  const before = optionsOf(command)
  return [...before, ...options, ...command.slice(before.length)]
}

/** The words of a command line that may be options: those before `--`. */
export const optionsOf = (command: readonly string[]): readonly string[] => {
  const end = command.indexOf('--')
  return end < 0 ? command : command.slice(0, end)
}
