import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Redactor, redactor } from '../cassette/redactor.ts'
import { ToolServerError, UsageError } from '../core/errors.ts'
import type { Authorizer, ProvidedTool, ToolServer } from '../core/ports.ts'
import { nearest } from '../lib/nearest.ts'
import { visibleLine } from '../lib/visible.ts'
import type { TrialWorld } from '../runner/run-deps.ts'
import type { Config } from '../schema/config.ts'
import type { McpServer } from '../schema/mcp.ts'
import { serverLimits, serverTools } from '../tools/server-tools.ts'
import type { Host } from './host.ts'
import type { Project } from './project.ts'

/** The folders of whoever uses the servers; made as they are asked for. */
export type ServerPlaces = {
  /** Where its work is: the working folder of the servers. */
  workspace(): string
  /** The throw-away HOME of the servers. */
  home(): string
}

export type OpenedServers = { readonly tools: readonly ProvidedTool[]; close(): Promise<void> }

export type ServerOpener = (names: readonly string[], places: ServerPlaces) => Promise<OpenedServers>

/** The environment variables whose values configured servers are sent in headers. */
export const headerVariables = (config: Config): readonly string[] =>
  Object.values(config.mcp ?? {}).flatMap((server) =>
    'url' in server ? Object.values(server.headers ?? {}).map(({ env }) => env) : [],
  )

/** The values of those variables. */
const sentSecrets = (config: Config, { env }: Pick<Host, 'env'>): string[] =>
  headerVariables(config).flatMap((name) => env[name]?.trim() || [])

/** Throws a UsageError for the name of a server that the configuration does not have. */
export const requireServers = (names: readonly string[], config: Config, where: string): void => {
  const known = Object.keys(config.mcp ?? {})
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const close = nearest(unknown, known)
  throw new UsageError('no_mcp_server', `${where}: there is no MCP server ${visibleLine(unknown)}`, {
    hint:
      close.length > 0
        ? `Did you mean ${close.join(' or ')}?`
        : `The configuration has: ${known.join(', ') || 'none (see `mcp` in docs/configuration.md)'}.`,
  })
}

/**
 * Opens configured servers by name, for one trial or task: nothing of one is seen by another. Rejects with a
 * ToolServerError, with all that was started ended.
 */
export const serverOpener = (config: Config, project: Project, host: Host): ServerOpener => {
  const told = new Set<string>()
  const note = (text: string) => {
    if (told.has(text)) return
    told.add(text)
    host.stderr(`note: ${visibleLine(secrets().redact(text), 500)}\n`)
  }
  // A server is sent secrets, and what it says of a fault may hold them.
  let made: Redactor | undefined
  const secrets = (): Redactor => {
    made ??= redactor({ env: host.env, values: sentSecrets(config, host), key: randomBytes(32).toString('hex') })
    return made
  }
  const withoutSecrets = (error: unknown): unknown => {
    if (!(error instanceof ToolServerError)) return error
    const message = secrets().redact(error.message)
    // The cause has the same words.
    return message === error.message ? error : new ToolServerError(error.code, message)
  }
  return async (names, places) => {
    requireServers(names, config, 'mcp')
    const { openMcpServer } = await import('../adapters/mcp/open-server.ts')
    const open: ToolServer[] = []
    const close = async () => {
      await Promise.all(open.map((server) => server.close()))
    }
    const openOne = async (name: string): Promise<readonly ProvidedTool[]> => {
      const settings = config.mcp?.[name]
      if (settings === undefined) return []
      const { signal, version } = host
      const timeoutMs = settings.timeout_seconds * 1000
      const server = await openMcpServer({ name, server: connected(name, settings), timeoutMs, version, signal })
      open.push(server)
      const { tools: listed, isCut } = await server.list(serverLimits.tools, { signal })
      if (isCut) note(`the MCP server ${name} lists more than ${listed.length} tools: the others are not offered`)
      const { tools, dropped } = serverTools(name, listed, server)
      if (dropped.length > 0) note(`of the MCP server ${name} these tools can't be offered: ${dropped.join(', ')}`)
      return tools
    }
    const connected = (name: string, settings: McpServer) =>
      'url' in settings
        ? { url: new URL(settings.url), headers: headersOf(name, settings.headers ?? {}, host) }
        : {
            command: [settings.command, ...(settings.args ?? [])],
            cwd: settings.cwd === undefined ? places.workspace() : resolve(project.dir, settings.cwd),
            env: environment(settings.env ?? [], places.home(), host),
          }
    const results = await Promise.allSettled([...new Set(names)].map(openOne))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) {
      await close()
      throw withoutSecrets(failed.reason)
    }
    return { tools: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])), close }
  }
}

/** Built up from nothing, as that of scripts. */
const environment = (passed: readonly string[], home: string, { env }: Host): Record<string, string> => ({
  PATH: env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  HOME: home,
  TMPDIR: home,
  ...Object.fromEntries(passed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
})

const headersOf = (
  server: string,
  headers: Readonly<Record<string, { readonly env: string; readonly prefix?: string | undefined }>>,
  { env }: Host,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { env: variable, prefix = '' }]) => {
      const value = (env[variable] ?? '').trim()
      if (!/^[\x20-\x7e]+$/.test(value)) {
        const what = value === '' ? `${variable} is not set` : `what ${variable} holds can't be sent in a header`
        throw new ToolServerError('tool_server_error', `the MCP server ${server} did not start: ${what}`)
      }
      return [name, `${prefix}${value}`]
    }),
  )

/** The world of a trial whose case names servers: they are opened when they are asked for, and end with it. */
export const withServers = (
  world: TrialWorld,
  {
    names = [],
    atHand = [],
  }: { readonly names: readonly string[] | undefined; readonly atHand: readonly ProvidedTool[] | undefined },
  open: ServerOpener,
  home: () => string,
): TrialWorld => {
  if (names.length === 0 && atHand.length === 0) return world
  const opened: OpenedServers[] = []
  return {
    ...world,
    servers: {
      names,
      atHand,
      open: async () => {
        if (names.length === 0) return []
        const servers = await open(names, { workspace: () => world.workspace.root(), home })
        opened.push(servers)
        return servers.tools
      },
    },
    dispose: async () => {
      await Promise.all(opened.map((servers) => servers.close()))
      await world.dispose()
    },
  }
}

/** In an eval a test double may be called freely; a server's tool only where the configuration says so. */
export const guardedServers = (usual: Authorizer, strict: Authorizer, doubles: readonly string[]): Authorizer => ({
  decide: (request) => {
    const isServers =
      request.tool === 'call_tool' && request.target.startsWith('mcp__') && !doubles.includes(request.target)
    return (isServers ? strict : usual).decide(request)
  },
  mayAllow: usual.mayAllow,
})
