import { systemIds } from '../adapters/clock/system-clock.ts'
import { type AuditFolder, openAuditFolder } from '../adapters/files/audit-folder.ts'
import { addUsage, noUsage } from '../agent/run-state.ts'
import { type Redactor, redactor } from '../cassette/redactor.ts'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { Clock, Files, Isolation, SkillSource } from '../core/ports.ts'
import { actionsOf, type TrajectoryEvent } from '../core/trajectory.ts'
import { sha256 } from '../lib/hash.ts'
import { visibleLine } from '../lib/visible.ts'
import { isolationLine } from '../report/isolation-text.ts'
import { shellLine } from '../report/shell-line.ts'
import type { AgentRun } from '../schema/audit.ts'
import { type AuditedEnd, type AuditedTask, auditRecord } from './audit-record.ts'
import { missingGrants, withGrants } from './grant.ts'
import type { Host } from './host.ts'
import { type Project, shownPath } from './project.ts'

export type TaskOutcome = AgentOutcome & {
  /** Its record below `.agent/runs`; null where it could not be written. */
  readonly run: string | null
  /** The line for a shell that runs it again with what it lacked allowed; undefined where it lacked nothing. */
  readonly allowCommand?: string
}

export type TaskToAudit = Pick<AuditedTask, 'profile' | 'provider'> & {
  /** What was asked, as far as it is known by the end. */
  prompt(): string
  /** What is kept beside the record, by the name of its file. */
  attachments?(id: string, outcome: AgentOutcome): Readonly<Record<string, string>>
  readonly project: Project
  /** What keeps scripts apart from the machine; asked where one was run. */
  isolation(): Promise<Isolation>
  /** The words behind the program's name; none where no command line does the same. */
  readonly command: readonly string[]
  /** The values of configured keys, whatever their variables are called. */
  readonly keys: readonly string[]
}

/** What the work is handed so that its record is complete. */
export type Recording = {
  readonly trajectory: TrajectoryEvent[]
  watch(skills: SkillSource, files: Files): SkillSource
}

/**
 * Does the work and leaves a record of it, however it ends. The record never changes how: where it can't be written,
 * that is said on stderr, and the work's result stands.
 */
export const auditedRun = async (
  task: TaskToAudit,
  host: Host,
  clock: Clock,
  work: (recording: Recording) => Promise<AgentOutcome>,
): Promise<TaskOutcome> => {
  const folder = orWarn(host, () => openAuditFolder(task.project.dir))
  const secrets = redactor({ env: host.env, values: task.keys, key: folder?.key ?? '' })
  const trajectory: TrajectoryEvent[] = []
  const digests = new Map<string, string>()
  const started = { at: clock.now(), monotonic: clock.monotonic() }
  const { isolation, project, profile, provider } = task
  const about: Omit<AuditedTask, 'prompt'> = {
    profile,
    provider,
    command: task.command,
    id: systemIds(clock).run(),
    startedAt: started.at,
    version: host.version,
    folder: shownPath(project, host.cwd) === project.dir ? '.' : shownPath(project, host.cwd),
    repeat: task.command.length === 0 ? '' : commandLine(task.command, secrets),
  }
  const keep = async (end: Omit<AuditedEnd, 'durationMs'>): Promise<string | null> => {
    const durationMs = clock.monotonic() - started.monotonic
    const hasRun = actionsOf(trajectory).some(({ action, status }) => action === 'run_script' && status !== 'denied')
    const told = { ...about, prompt: task.prompt() }
    const known = hasRun ? { ...told, isolation: isolationLine(await isolation()) } : told
    const record = () => auditRecord(known, trajectory, digests, { ...end, durationMs }, secrets.redactValue)
    return folder && orWarn(host, () => write(folder, record(), secrets)) ? about.id : null
  }
  try {
    const outcome = await work({ trajectory, watch: (skills, files) => withDigests(skills, files, digests) })
    // Nothing was asked in a chat that was left at once.
    if (trajectory.length === 0) return { ...outcome, run: null }
    const run = await keep(outcome)
    if (run !== null && folder) attach(folder, run, task.attachments?.(run, outcome) ?? {}, secrets, host)
    const grants = await missingGrants(outcome.trajectory)
    if (grants.length === 0 || task.command.length === 0) return { ...outcome, run }
    return { ...outcome, run, allowCommand: commandLine(withGrants(task.command, grants), secrets) }
  } catch (error) {
    // What was wrongly asked for, and not begun, leaves nothing.
    const isBegun = trajectory.length > 0 || !(error instanceof UsageError)
    if (isBegun) await keep({ stop: stopOf(error, host), usage: usageOf(trajectory), costUsd: null })
    throw error
  }
}

/** Anyone may paste it: as in every other text, secrets are taken out of it. */
const commandLine = (command: readonly string[], { redactValue }: Redactor): string =>
  shellLine(['skills-agent', ...redactValue([...command])])

const stopOf = (error: unknown, host: Host): AuditedEnd['stop'] =>
  host.signal.aborted
    ? { kind: 'interrupted', message: String(host.signal.reason) }
    : { kind: 'error', code: 'internal', message: error instanceof Error ? error.message : String(error) }

const usageOf = (trajectory: readonly TrajectoryEvent[]): AgentRun['usage'] =>
  trajectory.reduce((sum, event) => (event.type === 'model' ? addUsage(sum, event.usage) : sum), noUsage)

/** Remembers what each SKILL.md was at the moment in which it was loaded. */
const withDigests = (skills: SkillSource, files: Files, digests: Map<string, string>): SkillSource => ({
  ...skills,
  body: (skill) => {
    const body = skills.body(skill)
    if (!('problem' in body)) {
      digests.set(`${skill.name}@${skill.source}`, `sha256:${sha256(files.readBytes(skill.file, MAX_SKILL_BYTES))}`)
    }
    return body
  },
})

// More than any SKILL.md that is loaded may have.
const MAX_SKILL_BYTES = 16 * 1024 * 1024

/** Writes the record; where a known secret is readable in it after all, only what can't hold one. */
const write = (folder: AuditFolder, record: AgentRun, secrets: Redactor): boolean => {
  const isSafe = (text: string) => !secrets.leaks(text)
  if (folder.write(record.id, textOf(record), isSafe)) return true
  if (folder.write(record.id, textOf(bare(record)), isSafe)) return true
  throw new SkillsEvalError('secret_in_record', 'a secret could not be taken out of the record')
}

/** What would hold a known secret is left out, and that is said. */
const attach = (
  folder: AuditFolder,
  id: string,
  attachments: Readonly<Record<string, string>>,
  secrets: Redactor,
  host: Host,
): void => {
  for (const [name, text] of Object.entries(attachments)) {
    const why = secrets.leaks(text)
      ? 'a secret could not be taken out of it'
      : orProblem(() => folder.attach(id, name, text))
    if (why !== undefined) host.stderr(`warning: ${name} of this run was not kept: ${visibleLine(why, 1000)}\n`)
  }
}

const orProblem = (action: () => void): string | undefined => {
  try {
    action()
    return undefined
  } catch (error) {
    if (error instanceof SkillsEvalError) return error.message
    throw error
  }
}

const textOf = (record: AgentRun): string => `${JSON.stringify(record, null, 2)}\n`

const bare = (record: AgentRun): AgentRun => ({
  ...record,
  folder: '',
  command: [],
  repeat: '',
  request: { head: '', characters: 0, digest: '' },
  model: { profile: '', provider: '', answered: [] },
  skills: [],
  resources: [],
  actions: [],
  approvals: [],
  stop: { kind: record.stop.kind, message: 'a secret could not be taken out of the record, so only its head is kept' },
  answer: null,
})

const orWarn = <T>(host: Host, action: () => T): T | undefined => {
  try {
    return action()
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
    host.stderr(`warning: this run leaves no record: ${visibleLine(error.message, 1000)}\n`)
    return undefined
  }
}
