import { resolve } from 'node:path'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { folderWorkspace } from '../adapters/files/folder-workspace.ts'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import { runAgent } from '../agent/run-agent.ts'
import type { ActionType } from '../core/actions.ts'
import { parseSkillRef } from '../core/actions.ts'
import { UsageError } from '../core/errors.ts'
import type { Approver, ProvidedTool, SkillSource } from '../core/ports.ts'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { parseGrant } from '../permissions/parse-grant.ts'
import { policyAuthorizer, safeDefaults } from '../permissions/policy-authorizer.ts'
import { mockSchema } from '../schema/mock.ts'
import { availableSkills } from '../skills/available-skills.ts'
import { describeCut, fitIndex } from '../skills/fit-index.ts'
import { skillSource } from '../skills/skill-source.ts'
import { callToolTool } from '../tools/call-tool.ts'
import { runScriptTool } from '../tools/run-script.ts'
import { contextLimit, subagentLimits } from './agent-limits.ts'
import { projectNotes } from './agents-md.ts'
import { auditedRun, type TaskOutcome } from './audit-run.ts'
import type { Host } from './host.ts'
import { indexRoots } from './index-roots.ts'
import { loadConfig } from './load-config.ts'
import { requireServers, serverOpener } from './mcp-servers.ts'
import { modelOpener } from './open-model.ts'
import { defaultModel, findProfile, keyVariables } from './profiles.ts'
import { findProject } from './project.ts'
import { protectedPlaces } from './protected-places.ts'
import { readAuthored } from './read-authored.ts'
import { scriptWorld } from './script-world.ts'
import { configuredRoots } from './skill-roots.ts'
import { bodyLimits, indexTokens } from './suite-skills.ts'
import { plainTools } from './trial-world.ts'

export type TaskOptions = {
  readonly prompt: string
  readonly config?: string
  readonly model?: string
  /** The turns of a scripted model, relative to the working folder. */
  readonly mock?: string
  /** Skills to load at once, as the user's own choice. */
  readonly skills: readonly string[]
  /** What the person allows by name: `TOOL` or `TOOL:PATTERN`. */
  readonly allow: readonly string[]
  /** MCP servers of the configuration whose tools the agent has; none is started that is not named. */
  readonly mcp?: readonly string[]
  /** Of the caller of the library. */
  readonly tools?: readonly ProvidedTool[]
  /** Told of each event as it happens; what it throws is dropped. */
  readonly onEvent?: (event: TrajectoryEvent) => void
  /** Undefined: nobody can be asked. */
  readonly approver?: Approver
  /** The words behind the program's name, for the record. */
  readonly command: readonly string[]
}

/**
 * One task in the working folder with the configured skills, under the safe default policy, the configuration's and
 * what the person allows. Leaves a record below `.agent/runs`.
 */
export const runTask = async (options: TaskOptions, host: Host): Promise<TaskOutcome> => {
  const project = findProject(host.cwd, host.home, host.files)
  const configFile = options.config === undefined ? undefined : resolve(host.cwd, options.config)
  const config = loadConfig(project, host, configFile)
  const name = options.model ?? defaultModel(config)
  const profile = findProfile(name, config)
  const script =
    options.mock === undefined
      ? undefined
      : readAuthored(resolve(host.cwd, options.mock), options.mock, mockSchema, 'mock', host)
  if (profile.provider === 'mock' && script === undefined) {
    throw new UsageError('no_mock', `the model profile "${name}" is a scripted one and has no script`, {
      hint: 'Give its turns with --mock FILE, or choose another profile with --model.',
    })
  }
  const servers = options.mcp ?? []
  requireServers(servers, config, '--mcp')
  const granted = options.allow.map(parseGrant)
  const roots = configuredRoots(project, config, host)
  const index = indexRoots(roots, host)
  for (const { code, message } of index.diagnostics)
    if (code === 'skill/root-unfinished') host.stderr(`warning: ${message}\n`)
  const clock = systemClock()
  const tools = plainTools(clock)
  const own = new Set<ActionType>([...tools.keys(), 'run_script'])
  const all = skillSource(index, host.files, bodyLimits(config))
  const skills = availableSkills(all, { own, provided: new Set() })
  for (const written of options.skills) requireSkill(written, skills)
  const openModel = await modelOpener([name], config, host, clock)
  const scratch = scratchFolder('skills-agent-')
  const workspace = folderWorkspace(host.cwd, protectedPlaces(host, project, configFile, roots, index))
  const world = scriptWorld(host, config)
  const fitted = fitIndex(skills.visible(), indexTokens(config))
  if (fitted.cut) host.stderr(`warning: ${describeCut(fitted.cut, indexTokens(config))}\n`)
  const task = {
    prompt: options.prompt,
    command: options.command,
    profile: name,
    provider: profile.provider,
    project,
    isolation: world.isolation,
    keys: keyVariables(config).flatMap((variable) => host.env[variable]?.trim() || []),
  }
  const opened =
    servers.length === 0
      ? undefined
      : await serverOpener(
          config,
          project,
          host,
        )(servers, {
          workspace: () => host.cwd,
          home: () => scratch.folder('servers'),
        })
  const provided = [...(options.tools ?? []), ...(opened?.tools ?? [])]
  try {
    return await auditedRun(task, host, clock, (recording) =>
      runAgent(
        {
          inputs: [[...options.skills.map((skill) => `/${skill}`), options.prompt].join(' ')],
          firstDecisionOnly: false,
        },
        {
          model: openModel(name, script),
          skills: recording.watch(skills, host.files),
          renderedIndex: fitted.text,
          ...(config.agents_md === false ? {} : { projectNotes: projectNotes(project, host.cwd, host.files) }),
          tools: new Map([
            ...tools,
            ['run_script', runScriptTool({ ...world, scratch: () => scratch.folder('home') })],
            ['call_tool', callToolTool(provided)],
          ]),
          provided,
          authorizer: policyAuthorizer({
            defaults: safeDefaults,
            configured: config.permissions,
            runtime: undefined,
            granted,
          }),
          workspace,
          clock,
          hardLimits: {},
          softLimits: config.limits ?? {},
          forbiddenTools: [],
          maxRepairs: config.limits?.max_repairs ?? 2,
          maxBodiesPerTurn: config.limits?.max_bodies_per_turn ?? 2,
          context: contextLimit(config),
          subagents: subagentLimits(config),
          ...(options.approver ? { approver: options.approver } : {}),
          trajectory: tellingTrajectory(recording.trajectory, options.onEvent),
          signal: host.signal,
        },
      ),
    )
  } finally {
    await opened?.close()
    scratch.remove()
  }
}

/** The same list, which tells of what is put into it. */
const tellingTrajectory = (trajectory: TrajectoryEvent[], onEvent: TaskOptions['onEvent']): TrajectoryEvent[] => {
  if (onEvent === undefined) return trajectory
  trajectory.push = (...events) => {
    for (const event of events) {
      try {
        onEvent(event)
      } catch {
        // A listener may not affect a run.
      }
    }
    return Array.prototype.push.apply(trajectory, events)
  }
  return trajectory
}

const requireSkill = (written: string, skills: SkillSource): void => {
  const found = skills.resolve(parseSkillRef(written), 'user')
  if ('problem' in found) {
    throw new UsageError('no_skill', found.problem, { hint: '`skills-eval skills list` shows all.' })
  }
  if (found.hiddenFromUser) throw new UsageError('hidden_skill', `${found.name} is not for people to invoke`)
}
