import { resolve } from 'node:path'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { folderWorkspace } from '../adapters/files/folder-workspace.ts'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import type { Limits } from '../agent/budget.ts'
import { redactor } from '../cassette/redactor.ts'
import { stalePolicy } from '../cassette/stale-policy.ts'
import type { ActionType } from '../core/actions.ts'
import { parseSkillRef } from '../core/actions.ts'
import { UsageError } from '../core/errors.ts'
import type {
  Approver,
  Authorizer,
  Clock,
  Isolation,
  ModelAdapter,
  NamedServers,
  ProvidedTool,
  SkillSource,
  Tool,
} from '../core/ports.ts'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { parseGrant } from '../permissions/parse-grant.ts'
import { policyAuthorizer, safeDefaults } from '../permissions/policy-authorizer.ts'
import { shellLine } from '../report/shell-line.ts'
import type { Config, Profile } from '../schema/config.ts'
import { type MockScript, mockSchema } from '../schema/mock.ts'
import { describeCut } from '../skills/fit-index.ts'
import { callToolTool } from '../tools/call-tool.ts'
import { runScriptTool } from '../tools/run-script.ts'
import { contextLimit, offersPerSkill, subagentLimits } from './agent-limits.ts'
import { type AgentSkills, agentSkills } from './agent-skills.ts'
import { type AgentTape, agentTape } from './agent-tape.ts'
import { projectNotes } from './agents-md.ts'
import { purse } from './cost-limit.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { type OpenedServers, requireServers, serverOpener } from './mcp-servers.ts'
import { notedTools } from './noted-tools.ts'
import { modelOpener } from './open-model.ts'
import { defaultModel, findProfile, keyVariables } from './profiles.ts'
import { folderLook } from './program-changes.ts'
import { findProject, type Project } from './project.ts'
import { protectedPlaces } from './protected-places.ts'
import { readAuthored } from './read-authored.ts'
import { configuredKeys, digestKey, machinePlaces, prices } from './recorded-models.ts'
import { readReplay, replayedModel } from './replayed-task.ts'
import { scriptWorld } from './script-world.ts'
import { configuredRoots } from './skill-roots.ts'
import { indexTokens } from './suite-skills.ts'
import { type TouchedBefore, type TouchedFiles, touchedFiles } from './touched-files.ts'
import { plainTools } from './trial-world.ts'

export type AgentOptions = {
  readonly config?: string
  readonly model?: string
  /** The turns of a scripted model, relative to the working folder. */
  readonly mock?: string
  /** A recording to be replayed instead of asking the model. */
  readonly replay?: string
  /** Whether what comes from outside is recorded, and what is touched kept. */
  readonly isRecorded: boolean
  /** What was touched in the conversation that it goes on with. */
  readonly touched?: TouchedBefore
  /** What the person allows by name: `TOOL` or `TOOL:PATTERN`. */
  readonly allow: readonly string[]
  /** MCP servers of the configuration whose tools the agent has; none is started that is not named. */
  readonly mcp?: readonly string[]
  /** Of the caller of the library. */
  readonly tools?: readonly ProvidedTool[]
  readonly maxCostUsd?: number
  readonly maxTurns?: number
  /** Undefined: nobody can be asked. */
  readonly approver?: Approver
  /** The words behind the program's name, for the record. */
  readonly command: readonly string[]
}

/** All that an agent in the working folder is given, under the safe default policy, the configuration's and what the person allows. */
export type AgentWorld = {
  readonly project: Project
  readonly config: Config
  readonly profile: { readonly name: string; readonly settings: Profile; readonly script: MockScript | undefined }
  readonly skills: AgentSkills
  readonly authorizer: Authorizer
  readonly model: ModelAdapter
  readonly tape: AgentTape | undefined
  readonly touched: TouchedFiles | undefined
  /** What AGENTS.md said at the start; '' where there is none, or it is not to count. */
  readonly notes: string
  /** The MCP servers that were named. */
  readonly servers: readonly string[]
  readonly clock: Clock
  /** The values of configured keys, whatever their variables are called. */
  readonly keys: readonly string[]
  isolation(): Promise<Isolation>
  /** What the agent needs for one request. */
  deps(of: {
    readonly trajectory: TrajectoryEvent[]
    readonly signal: AbortSignal
    watch(skills: SkillSource): SkillSource
    /** Of a session in which they change; default: the skills as they are. */
    readonly session?: { readonly skills: SkillSource; readonly renderedIndex: string }
  }): AgentDeps
  /** Ends the servers and takes the throw-away folders away. */
  close(): Promise<void>
}

/** Throws a UsageError or an InvalidInputError where the options or the configuration are wrong. */
export const openAgentWorld = async (options: AgentOptions, host: Host): Promise<AgentWorld> => {
  const project = findProject(host.cwd, host.home, host.files)
  const configFile = options.config === undefined ? undefined : resolve(host.cwd, options.config)
  const config = loadConfig(project, host, configFile)
  const recording = options.replay === undefined ? undefined : readReplay(options.replay, host)
  const name = options.model ?? recording?.profile ?? defaultModel(config)
  const settings = findProfile(name, config)
  const script =
    options.mock === undefined
      ? undefined
      : readAuthored(resolve(host.cwd, options.mock), options.mock, mockSchema, 'mock', host)
  if (settings.provider === 'mock' && script === undefined && recording === undefined) {
    throw new UsageError('no_mock', `the model profile "${name}" is a scripted one and has no script`, {
      hint: 'Give its turns with --mock FILE, or choose another profile with --model.',
    })
  }
  const servers = options.mcp ?? []
  requireServers(servers, config, '--mcp')
  const granted = options.allow.map(parseGrant)
  const roots = configuredRoots(project, config, host)
  const clock = systemClock()
  const plain = plainTools(clock)
  const own = new Set<ActionType>([...plain.keys(), 'run_script'])
  const toolNames = new Set<string>()
  const skills = agentSkills(roots, { own, provided: toolNames }, config, host)
  for (const { code, message } of skills.index().diagnostics)
    if (code === 'skill/root-unfinished') host.stderr(`warning: ${message}\n`)
  const scratch = scratchFolder('skills-agent-')
  const home = () => scratch.folder('home')
  const places = () => [
    { name: 'workspace', path: host.cwd },
    { name: 'temporary', path: home() },
    ...machinePlaces(skills.source(), project, host),
  ]
  const secrets = redactor({
    env: host.env,
    values: configuredKeys(config, host),
    key: digestKey(project, options.isRecorded),
  })
  const { maxCostUsd } = options
  const opened =
    recording === undefined
      ? (await modelOpener([name], config, host, clock, maxCostUsd === undefined ? undefined : purse(maxCostUsd)))(
          name,
          script,
        )
      : replayedModel(recording, {
          ...{ name, profile: settings, config, places: places(), secrets },
          policy: stalePolicy(config.stale),
          path: options.replay ?? '',
          again: shellLine(['skills-agent', ...secrets.redactValue(options.command.map(recordingAgain))]),
          priceOf: (await prices([name], config))(name),
        })
  const tape = options.isRecorded
    ? agentTape(opened, { profile: settings, config, places: places(), secrets, now: clock.now() })
    : undefined
  const model = tape?.model ?? opened
  const folder = folderWorkspace(host.cwd, protectedPlaces(host, project, configFile, roots, skills.index()))
  const touched = options.isRecorded ? touchedFiles(folder, folderLook(folder.root()), options.touched) : undefined
  const world = scriptWorld(host, config)
  const notes = config.agents_md === false ? '' : projectNotes(project, host.cwd, host.files)
  // It was read, though not by a tool.
  if (notes !== '') touched?.noteArguments(['AGENTS.md'])
  const running: OpenedServers[] = []
  const close = async (): Promise<void> => {
    await Promise.all(running.map((opened) => opened.close()))
    scratch.remove()
  }
  const open = async (): Promise<readonly ProvidedTool[]> => {
    const places = { workspace: () => host.cwd, home: () => scratch.folder('servers') }
    const opened = await serverOpener(config, project, host)(servers, places)
    running.push(opened)
    return opened.tools
  }
  const provided = await toolsOf(model, { names: servers, atHand: options.tools ?? [], open }).catch(async (error) => {
    await close()
    throw error
  })
  for (const { name: tool } of provided) toolNames.add(tool)
  if (provided.length > 0) skills.refresh()
  warnOfCut(skills, config, host)
  const tools = notedTools(
    new Map<ActionType, Tool>([
      ...plain,
      ['run_script', runScriptTool({ ...world, scratch: home })],
      ['call_tool', callToolTool(provided)],
    ]),
    touched,
  )
  const { recording: use } = model
  const usedTools = use === undefined ? tools : new Map([...tools].map(([type, tool]) => [type, use.tool(tool)]))
  const authorizer = policyAuthorizer({
    defaults: safeDefaults,
    configured: config.permissions,
    runtime: undefined,
    granted,
  })
  // As in a case: what is made of the run is cut where the run was.
  const uncounted = (): string[] =>
    [
      host.cwd,
      home(),
      ...skills
        .source()
        .visible()
        .map(({ dir }) => dir),
    ].sort((a, b) => b.length - a.length)
  return {
    project,
    config,
    profile: { name, settings, script },
    skills,
    authorizer,
    model,
    tape,
    touched,
    notes,
    servers,
    clock,
    keys: keyVariables(config).flatMap((variable) => host.env[variable]?.trim() || []),
    isolation: world.isolation,
    deps: ({ trajectory, signal, watch, session }) => ({
      model,
      skills: watch(session?.skills ?? skills.source()),
      renderedIndex: session?.renderedIndex ?? skills.fitted().text,
      projectNotes: notes,
      tools: usedTools,
      provided,
      offersPerSkill: offersPerSkill(config),
      authorizer,
      workspace: touched?.workspace ?? folder,
      clock,
      hardLimits: hardLimits(options),
      softLimits: config.limits ?? {},
      forbiddenTools: [],
      maxRepairs: config.limits?.max_repairs ?? 2,
      maxBodiesPerTurn: config.limits?.max_bodies_per_turn ?? 2,
      context: { ...contextLimit(config), places: uncounted() },
      subagents: subagentLimits(config),
      ...(options.approver ? { approver: options.approver } : {}),
      trajectory,
      signal,
    }),
    close,
  }
}

/** Says where the index of skills is not whole. */
export const warnOfCut = (skills: AgentSkills, config: Config, host: Host): void => {
  const { cut } = skills.fitted()
  if (cut) host.stderr(`warning: ${describeCut(cut, indexTokens(config))}\n`)
}

const toolsOf = async (model: ModelAdapter, servers: NamedServers): Promise<readonly ProvidedTool[]> => {
  if (model.provided) return model.provided(servers)
  return [...servers.atHand, ...(servers.names.length === 0 ? [] : await servers.open())]
}

const recordingAgain = (word: string): string => word.replace(/^--replay(?==|$)/, '--record-to')

const hardLimits = ({ maxCostUsd, maxTurns }: AgentOptions): Limits => ({
  ...(maxCostUsd === undefined ? {} : { max_cost_usd: maxCostUsd }),
  ...(maxTurns === undefined ? {} : { max_turns: maxTurns }),
})

/** Throws a UsageError where a person can't load the skill by this name. */
export const requireSkill = (written: string, skills: SkillSource): void => {
  const found = skills.resolve(parseSkillRef(written), 'user')
  if ('problem' in found) {
    throw new UsageError('no_skill', found.problem, { hint: '`skills-eval skills list` shows all.' })
  }
  if (found.hiddenFromUser) throw new UsageError('hidden_skill', `${found.name} is not for people to invoke`)
}
