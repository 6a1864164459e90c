import { diskWorkspace } from '../adapters/files/disk-workspace.ts'
import { writeText } from '../adapters/files/output-file.ts'
import type { ScratchFolder } from '../adapters/files/scratch-folder.ts'
import { httpClient } from '../adapters/net/http-client.ts'
import type { ActionType } from '../core/actions.ts'
import type { PlannedCase } from '../core/plan.ts'
import type { Clock, Files, ProcessRunner, ScriptRunner, Tool } from '../core/ports.ts'
import type { GraderScripts, ScriptRun } from '../grading/ports.ts'
import type { TrialWorld } from '../runner/run-deps.ts'
import { deleteFileTool } from '../tools/delete-file.ts'
import { grepTool } from '../tools/grep.ts'
import { chooseInterpreter, type FindProgram } from '../tools/interpreter.ts'
import { listDirTool } from '../tools/list-dir.ts'
import { networkRequestTool } from '../tools/network-request.ts'
import { readFileTool } from '../tools/read-file.ts'
import { runScriptTool } from '../tools/run-script.ts'
import { writeFileTool } from '../tools/write-file.ts'

export type WorldParts = {
  readonly files: Files
  readonly scripts: ScriptRunner
  readonly graders: ProcessRunner
  readonly findProgram: FindProgram
  readonly nodeRunsTypeScript: boolean
  /** What scripts and graders see of the environment, and nothing else. */
  readonly environment: Readonly<Record<string, string>>
  readonly scratch: ScratchFolder
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const graderTimeoutSeconds = 60
const graderOutputBytes = 1024 * 1024

/** Opens the world of one trial: its own workspace on disk, the tools that work in it, graders that run in it. */
export const openTrialWorld = (
  planned: PlannedCase,
  n: number,
  parts: WorldParts,
  plainTools: PlainTools,
): TrialWorld => {
  const name = `${planned.at + n}`
  const opened = new Set<string>()
  const folder = (name: string) => {
    opened.add(name)
    return parts.scratch.folder(name)
  }
  const places = {
    workspace: `${parts.scratch.path()}/${name}-workspace`,
    temporary: `${parts.scratch.path()}/${name}`,
  }
  const workspace = diskWorkspace(places.workspace, planned.evalCase.files ?? {})
  const runScript = runScriptTool({
    files: parts.files,
    scripts: parts.scripts,
    findProgram: parts.findProgram,
    nodeRunsTypeScript: parts.nodeRunsTypeScript,
    environment: parts.environment,
    scratch: () => folder(name),
    timeoutMs: parts.timeoutMs,
  })
  return {
    workspace,
    places,
    tools: new Map<ActionType, Tool>([...plainTools, ['run_script', runScript]]),
    grading: (trial) => ({
      runScript: (request) => runGrader(request, trial(), folder(`${name}-grader`), workspace.root(), parts),
      readSchema: (path) => JSON.parse(parts.files.readText(path, graderOutputBytes)),
    }),
    dispose: async () => {
      await workspace.dispose()
      for (const name of opened) parts.scratch.removeFolder(name)
    },
  }
}

export type PlainTools = ReadonlyMap<ActionType, Tool>

/** Tools that keep nothing between calls: made once for a run. */
export const plainTools = (clock: Clock): PlainTools => {
  const network = networkRequestTool({ http: httpClient(), clock })
  const tools = [readFileTool(), listDirTool(), grepTool(), writeFileTool(), deleteFileTool(), network]
  return new Map<ActionType, Tool>(tools.map((tool) => [tool.type, tool]))
}

/**
 * A grader is the suite author's program: it sees the workspace, the answer on its input, and the trial as a file. Its
 * HOME is not the one of the scripts, which could have left there what Python or git obeys.
 */
const runGrader: (
  request: Parameters<GraderScripts['runScript']>[0],
  trial: Readonly<Record<string, unknown>>,
  folder: string,
  cwd: string,
  parts: WorldParts,
) => Promise<ScriptRun> = async ({ check, text }, trial, folder, cwd, parts) => {
  const head = parts.files.readHead(check.run, 256).text
  const interpreter = chooseInterpreter(check.run, head, parts.findProgram, parts.nodeRunsTypeScript)
  if ('problem' in interpreter) {
    return { exitCode: null, stdout: '', stderr: '', timedOut: false, startError: interpreter.problem }
  }
  const trialFile = `${folder}/trial.json`
  writeText(trialFile, `${JSON.stringify(trial, null, 2)}\n`)
  const result = await parts.graders.run({
    command: [...interpreter.command, check.run, ...(check.args ?? [])],
    cwd,
    env: { ...parts.environment, HOME: folder, TMPDIR: folder, WORKSPACE: cwd, SKILLS_EVAL_TRIAL: trialFile },
    marker: 'HOME',
    stdin: text,
    timeoutMs: (check.timeout_seconds ?? graderTimeoutSeconds) * 1000,
    keepBytes: graderOutputBytes,
    signal: parts.signal,
  })
  return {
    exitCode: result.exitCode,
    stdout: result.stdout.text,
    stderr: result.stderr.text,
    timedOut: result.timedOut,
    ...(result.startError === undefined ? {} : { startError: result.startError }),
  }
}
