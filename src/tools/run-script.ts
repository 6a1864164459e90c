import type { Files, ProcessResult, ScriptRunner, Tool, ToolResult } from '../core/ports.ts'
import { relativePath } from '../core/relative-path.ts'
import type { Skill } from '../core/skill.ts'
import { chooseInterpreter, type FindProgram } from './interpreter.ts'
import { toolLimits } from './limits.ts'

export type ScriptWorld = {
  readonly files: Files
  readonly scripts: ScriptRunner
  readonly findProgram: FindProgram
  readonly nodeRunsTypeScript: boolean
  /** What every script sees: PATH, LANG, and what the policy passes by name. Nothing else is inherited. */
  readonly environment: Readonly<Record<string, string>>
  /** A throw-away folder for HOME and TMPDIR, beside the workspace; no other program that runs has the same. */
  scratch(): string
  readonly timeoutMs: number
}

/** Runs a file of a loaded skill in the workspace: arguments as an array, standard input closed unless given. */
export const runScriptTool = (world: ScriptWorld): Tool => ({
  type: 'run_script',
  risk: 'medium',
  run: async (params, { workspace, skill, signal }) => {
    if (!skill) return { status: 'error', text: 'run_script needs the skill that the script belongs to' }
    const place = locate(skill, String(params.path), world.files)
    if ('problem' in place) return { status: 'error', text: place.problem }
    const interpreter = chooseInterpreter(
      place.path,
      world.files.readHead(place.file, 256).text,
      world.findProgram,
      world.nodeRunsTypeScript,
    )
    if ('problem' in interpreter) return { status: 'error', text: interpreter.problem }
    const root = workspace.root()
    const home = world.scratch()
    const result = await world.scripts.run(
      {
        command: [...interpreter.command, place.file, ...argsOf(params)],
        cwd: root,
        env: { ...world.environment, HOME: home, TMPDIR: home, SKILL_DIR: skill.dir, WORKSPACE: root },
        marker: 'HOME',
        ...(typeof params.stdin === 'string' ? { stdin: params.stdin } : {}),
        timeoutMs: world.timeoutMs,
        keepBytes: toolLimits.outputBytes,
        signal,
      },
      { workspace: root, home, skill: skill.dir },
    )
    if ('refused' in result) return { status: 'denied', text: `${place.path} was not run: ${result.refused}` }
    return describe(place.path, result, world.timeoutMs)
  },
})

const argsOf = ({ args }: Readonly<Record<string, unknown>>): string[] => (Array.isArray(args) ? args.map(String) : [])

const locate = (skill: Skill, written: string, files: Files): { path: string; file: string } | { problem: string } => {
  const result = relativePath(written)
  if ('problem' in result) return { problem: `${written}: ${result.problem}` }
  if (result.path === '') return { problem: `${written} is not a file` }
  const missing = () => ({ problem: `${skill.name} has no script ${result.path}${scriptsOf(skill, files)}` })
  const file = files.realPath(`${skill.dir}/${result.path}`)
  if (file === undefined || isOfEvals(result.path)) return missing()
  if (!file.startsWith(`${skill.dir}/`)) return { problem: `${result.path} is a link that leads outside the skill` }
  if (isOfEvals(file.slice(skill.dir.length + 1))) return missing()
  if (files.stat(file)?.kind !== 'file') return { problem: `${result.path} is not a file` }
  return { path: result.path, file }
}

/** A skill's own suites and graders are no part of it while it is under test. */
const isOfEvals = (path: string): boolean => path.toLowerCase().split('/')[0] === 'evals'

const scriptsOf = (skill: Skill, files: Files): string => {
  const names = files
    .list(`${skill.dir}/scripts`)
    .flatMap((entry) => (entry.kind === 'file' ? [`scripts/${entry.name}`] : []))
  return names.length === 0 ? '' : `; its scripts: ${names.slice(0, 20).join(', ')}`
}

const describe = (path: string, result: ProcessResult, timeoutMs: number): ToolResult => {
  if (result.startError !== undefined)
    return { status: 'error', text: `${path} could not be started: ${result.startError}` }
  const end = result.timedOut
    ? `stopped after ${timeoutMs / 1000} s, its time limit`
    : result.exitCode === null
      ? `killed by ${result.signal ?? 'a signal'}`
      : `exit code ${result.exitCode}`
  const parts = [end]
  if (result.stdout.bytes > 0) parts.push(`stdout:\n${result.stdout.text}`)
  if (result.stderr.bytes > 0) parts.push(`stderr:\n${result.stderr.text}`)
  if (result.stdout.bytes + result.stderr.bytes === 0) parts.push('(no output)')
  const ok = result.exitCode === 0 && !result.timedOut
  return {
    status: ok ? 'ok' : 'error',
    text: parts.join('\n'),
    ...(result.exitCode === null ? {} : { exitCode: result.exitCode }),
  }
}
