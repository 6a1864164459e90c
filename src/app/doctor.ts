import { join, resolve } from 'node:path'
import { processRunner } from '../adapters/process/process-runner.ts'
import { InvalidInputError, SkillsEvalError } from '../core/errors.ts'
import type { SkillRoot } from '../core/skill.ts'
import type { Checkup, FoundProgram } from '../report/doctor-report.ts'
import type { Config } from '../schema/config.ts'
import type { McpServer } from '../schema/mcp.ts'
import { indexSkills } from '../skills/index-skills.ts'
import { chooseInterpreter } from '../tools/interpreter.ts'
import { findCassettes, recordingsFolder } from './cassettes.ts'
import type { Host } from './host.ts'
import { cacheFolder, loadConfig } from './load-config.ts'
import { isLive, keyVariable } from './open-model.ts'
import { findProfile, isProfile, keyVariables, usualJudge } from './profiles.ts'
import { configFileIn, findProject, type Project, shownPath } from './project.ts'
import { scriptWorld } from './script-world.ts'
import { configuredRoots } from './skill-roots.ts'

const oldestNode = [20, 19] as const

/** `skills-eval doctor`: looks at all that runs depend on, and tries the isolation of scripts. */
export const examine = async (options: { readonly config?: string | undefined }, host: Host): Promise<Checkup> => {
  const project = findProject(host.cwd, host.home, host.files)
  const explicit = options.config === undefined ? undefined : resolve(host.cwd, options.config)
  const { config, problems: configProblems } = readConfig(project, explicit, host)
  const world = scriptWorld(host, config)
  const configured = config.sandbox ?? 'auto'
  const [isolation, interpreters, [git = notFound('git')]] = await Promise.all([
    world.isolation(),
    findAll(['python3', 'bash', 'node'], world, host),
    findAll(['git'], world, host),
  ])
  const supported = isSupported(process.versions.node)
  const cache = cacheFolder(host)
  const problems = [
    ...(supported ? [] : [`Node ${process.versions.node} is too old: ${oldestNode.join('.')} or newer is needed`]),
    ...(configProblems.length > 0 ? ['the configuration is not valid: its defaults were examined'] : []),
    ...(configured === 'require' && isolation.kind === 'none'
      ? [`the configuration says sandbox: require, and scripts can't be isolated: ${isolation.reason}`]
      : []),
  ]
  return {
    ok: problems.length === 0,
    problems,
    version: host.version,
    node: { version: process.versions.node, supported },
    platform: `${process.platform} ${process.arch}`,
    interpreters,
    typescript: typescriptProgram(world),
    git,
    sandbox: { configured, isolation },
    limits: {
      prlimit: world.tools.prlimit ?? null,
      script_seconds: world.timeoutMs / 1000,
      script_memory_mb: world.limits.memoryMb,
      script_file_mb: world.limits.fileMb,
    },
    project: project.dir,
    config: { files: configFiles(project, explicit, host), problems: configProblems },
    skill_roots: configuredRoots(project, config, host).map((root) => countSkills(root, host)),
    recordings: countRecordings(project, config, host),
    judge: findJudge(config, host),
    keys: keyVariables(config).map((name) => ({ name, present: (host.env[name] ?? '') !== '' })),
    mcp: Object.entries(config.mcp ?? {}).map(([name, server]) => checkServer(name, server, world, host)),
    cache: { path: cache, present: host.files.stat(cache)?.kind === 'dir' },
  }
}

/** The configuration, or none with what is wrong with it: the rest is worth knowing all the same. */
const readConfig = (
  project: Project,
  explicit: string | undefined,
  host: Host,
): { readonly config: Config; readonly problems: readonly string[] } => {
  try {
    return { config: loadConfig(project, host, explicit), problems: [] }
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
    if (!(error instanceof InvalidInputError)) return { config: {}, problems: [error.message] }
    const problems = error.diagnostics.map(
      ({ file, line, message }) => `${[file, line].filter((part) => part !== undefined).join(':')}: ${message}`,
    )
    return { config: {}, problems }
  }
}

const configFiles = (project: Project, explicit: string | undefined, host: Host): string[] =>
  [configFileIn(host.home, host.files), explicit ?? project.configFile]
    .filter((file) => file !== undefined)
    .map((file) => shownPath(project, file))

const isSupported = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
}

type World = ReturnType<typeof scriptWorld>

/** What is known of a server without starting it. The arguments stay unsaid: somebody may have put a key there. */
const checkServer = (name: string, server: McpServer, world: World, host: Host): Checkup['mcp'][number] => {
  const isUnset = (variable: string) => (host.env[variable] ?? '') === ''
  if ('url' in server) {
    const { origin, pathname } = new URL(server.url)
    const lacks = Object.values(server.headers ?? {}).map(({ env }) => env)
    return { name, what: `${origin}${pathname}`, lacks: lacks.filter(isUnset) }
  }
  const isPath = server.command.includes('/')
  const isThere = isPath || world.findProgram(server.command) !== undefined
  return {
    name,
    what: server.command,
    lacks: [...(isThere ? [] : [server.command]), ...(server.env ?? []).filter(isUnset)],
  }
}

const notFound = (name: string): FoundProgram => ({ name, path: null, version: null })

const findAll = (names: readonly string[], world: World, host: Host): Promise<FoundProgram[]> => {
  const processes = processRunner()
  return Promise.all(
    names.map(async (name) => {
      const path = world.findProgram(name)
      if (path === undefined) return notFound(name)
      const { stdout, exitCode } = await processes.run({
        command: [path, '--version'],
        cwd: '/',
        env: { PATH: world.environment.PATH ?? '', LANG: 'C.UTF-8', HOME: host.home },
        timeoutMs: 5000,
        keepBytes: 4096,
        signal: host.signal,
      })
      const version = exitCode === 0 ? /\d+(\.\d+)+/.exec(stdout.text)?.[0] : undefined
      return { name, path, version: version ?? null }
    }),
  )
}

const typescriptProgram = (world: World): string | null => {
  const chosen = chooseInterpreter('script.ts', '', world.findProgram, world.nodeRunsTypeScript)
  return 'command' in chosen ? chosen.command.join(' ') : null
}

const countSkills = (root: SkillRoot, host: Host): Checkup['skill_roots'][number] => {
  const { path, source } = root
  const isThere = host.files.stat(join(path, '.'))?.kind === 'dir'
  return { path, source, skills: isThere ? indexSkills([root], host.files).skills.length : null }
}

const findJudge = (config: Config, host: Host): Checkup['judge'] => {
  if (!isProfile(usualJudge, config)) return null
  const profile = findProfile(usualJudge, config)
  const { provider, model = null } = profile
  const key = isLive(profile) ? keyVariable(profile) : undefined
  return {
    profile: usualJudge,
    provider,
    model,
    key: key === undefined ? null : { name: key, present: (host.env[key] ?? '').trim() !== '' },
  }
}

const countRecordings = (project: Project, config: Config, host: Host): Checkup['recordings'] => {
  const folder = recordingsFolder(project, config)
  const path = shownPath(project, folder)
  if (host.files.stat(folder)?.kind !== 'dir') return { path, count: null, unreadable: 0 }
  const found = findCassettes(project, config, host)
  return { path, count: found.length, unreadable: found.filter((one) => 'problem' in one).length }
}
