import type { Client, Transport } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { ToolServerError } from '../../core/errors.ts'
import type { ListedTool, ToolResult, ToolServer } from '../../core/ports.ts'
import { visibleLine } from '../../lib/visible.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { describeResult } from './describe-result.ts'
import { type Faulty, type StdioServer, stdioTransport } from './stdio-transport.ts'

export type HttpServer = { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

export type ServerOptions = {
  readonly name: string
  readonly server: StdioServer | HttpServer
  /** For its start, and for each call. */
  readonly timeoutMs: number
  readonly version: string
  readonly signal: AbortSignal
}

const mostPages = 50
const mostNameChars = 200

const listSchema = z.object({
  tools: z.array(z.unknown()),
  nextCursor: z.string().nullish(),
})
const toolSchema = z.object({
  name: z.string().min(1).max(mostNameChars),
  description: z.string().nullish(),
  inputSchema: z.record(z.string(), z.unknown()),
})
const callSchema = z.looseObject({})

/**
 * Connects to an MCP server. We offer it nothing: no sampling, no roots, no questions to a person. What it asks or tells
 * besides answers is refused or dropped. Rejects with a ToolServerError that says what went wrong.
 */
export const openMcpServer = async (options: ServerOptions): Promise<ToolServer> => {
  const { name, timeoutMs, version, signal } = options
  const mcp = await import('@modelcontextprotocol/client')
  const connection = connect(options, mcp)
  const client: Client = new mcp.Client({ name: 'skills-eval', version }, { capabilities: {} })
  const within = (more: AbortSignal) => ({ timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal: more })
  const words = (error: unknown): string => {
    const fault = connection.fault()
    if (fault !== undefined) return fault
    const isLate = error instanceof mcp.SdkError && error.code === mcp.SdkErrorCode.RequestTimeout
    if (isLate) return `it did not answer within ${timeoutMs / 1000} s`
    return visibleLine(error instanceof Error ? error.message : String(error), 300)
  }
  const failed = (what: string, error: unknown) =>
    new ToolServerError('tool_server_error', `the MCP server ${name} ${what}: ${words(error)}`, { cause: error })
  const close = async () => {
    connection.end()
    await client.close().catch(() => undefined)
    await connection.transport.close().catch(() => undefined)
  }
  try {
    await inTime(client.connect(connection.transport, within(signal)), timeoutMs, signal)
  } catch (error) {
    const told = failed('did not start', error)
    await close()
    signal.throwIfAborted()
    throw told
  }
  const request = <T extends z.ZodType>(
    method: string,
    params: Record<string, unknown>,
    schema: T,
    about: { readonly timeout: number; readonly signal: AbortSignal },
  ) => client.request({ method, params }, schema, about)

  return {
    list: async (most, { signal: by }) => {
      const end = performance.now() + timeoutMs
      try {
        // All pages together have the time of one request.
        return await listTools(most, (cursor) => {
          const timeout = Math.max(1, end - performance.now())
          return request('tools/list', cursor === undefined ? {} : { cursor }, listSchema, { timeout, signal: by })
        })
      } catch (error) {
        by.throwIfAborted()
        throw failed('lists no tools', error)
      }
    },
    call: async (tool, input, { signal: by }): Promise<ToolResult> => {
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        return { status: 'error', text: 'the input must be an object' }
      }
      try {
        // Not `callTool`: it checks answers by schemas of the server's own making, patterns that never end included.
        return describeResult(await request('tools/call', { name: tool, arguments: input }, callSchema, within(by)))
      } catch (error) {
        by.throwIfAborted()
        return { status: 'error', text: `the MCP server ${name}: ${words(error)}` }
      }
    },
    close,
  }
}

type Connection = Faulty & { readonly transport: Transport; end(): void }

const connect = (
  { server }: ServerOptions,
  { StreamableHTTPClientTransport }: typeof import('@modelcontextprotocol/client'),
): Connection => {
  if ('command' in server) {
    const transport = stdioTransport(server)
    return { transport, fault: transport.fault, end: () => undefined }
  }
  const bounded = boundedFetch()
  const transport = new StreamableHTTPClientTransport(server.url, {
    requestInit: { headers: { ...server.headers } },
    fetch: bounded.fetch,
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  })
  return { transport: transport as Transport, fault: bounded.fault, end: bounded.end }
}

const listTools = async (
  most: number,
  page: (cursor: string | undefined) => Promise<z.output<typeof listSchema>>,
): Promise<{ readonly tools: readonly ListedTool[]; readonly isCut: boolean }> => {
  const tools: ListedTool[] = []
  let cursor: string | undefined
  for (let n = 0; n < mostPages; n += 1) {
    const { tools: listed, nextCursor } = await page(cursor)
    for (const one of listed) {
      if (tools.length >= most) return { tools, isCut: true }
      const { data } = toolSchema.safeParse(one)
      // What is no tool is not offered; the others are no worse for it.
      if (data) tools.push({ name: data.name, description: data.description ?? '', parameters: data.inputSchema })
    }
    if (!nextCursor) return { tools, isCut: false }
    cursor = nextCursor
  }
  return { tools, isCut: true }
}

/** The SDK's own limit does not cover what comes before its first request. */
const inTime = async (promise: Promise<void>, ms: number, signal: AbortSignal): Promise<void> => {
  let late: (() => void) | undefined
  const timer = setTimeout(() => late?.(), ms)
  const ended = new Promise<never>((_, reject) => {
    late = () => reject(new Error(`it did not answer within ${ms / 1000} s`))
    signal.addEventListener('abort', late, { once: true })
  })
  try {
    await Promise.race([promise, ended])
  } finally {
    clearTimeout(timer)
    if (late) signal.removeEventListener('abort', late)
    promise.catch(() => undefined)
  }
}
