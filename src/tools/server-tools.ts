import type { ListedTool, ProvidedTool, ToolServer } from '../core/ports.ts'
import { sha256 } from '../lib/hash.ts'
import { isDeeperThan } from '../lib/too-deep.ts'
import { visible } from '../lib/visible.ts'

export const serverLimits = {
  /** Of one server: more would crowd out everything else in every request. */
  tools: 100,
  descriptionChars: 2000,
  schemaChars: 16 * 1024,
  schemaLevels: 32,
  /** What every provider takes for the name of a tool. */
  nameChars: 64,
} as const

/** The name of a server's tool, as rules and skills write it: `mcp__SERVER__TOOL`, in letters, digits, `_` and `-`. */
export const serverToolName = (server: string, tool: string): string => {
  const name = `mcp__${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`
  if (name.length <= serverLimits.nameChars) return name
  const digest = sha256(tool).slice(0, 8)
  return `${name.slice(0, serverLimits.nameChars - digest.length - 1)}_${digest}`
}

/**
 * What a server lists as tools of a run. Its texts are a stranger's: marked as his, made visible, cut. `dropped` are
 * those whose name another one has or whose schema is too large to be told a model.
 */
export const serverTools = (
  server: string,
  listed: readonly ListedTool[],
  connection: Pick<ToolServer, 'call'>,
): { readonly tools: readonly ProvidedTool[]; readonly dropped: readonly string[] } => {
  const tools = new Map<string, ProvidedTool>()
  const dropped: string[] = []
  for (const { name: plain, description, parameters } of listed) {
    const name = serverToolName(server, plain)
    const shown = shownSchema(parameters)
    if (tools.has(name) || shown === undefined) {
      dropped.push(plain)
      continue
    }
    tools.set(name, {
      name,
      description: `(A tool of the MCP server ${server}, in its words:) ${shownText(description)}`,
      parameters: shown,
      checksInput: true,
      call: (input, options) => connection.call(plain, input, options),
    })
  }
  return { tools: [...tools.values()], dropped }
}

const shownText = (text: string): string => {
  const { descriptionChars: most } = serverLimits
  const head = visible(text.slice(0, most)).slice(0, most)
  return text.length > most ? `${head}… [cut]` : head
}

/** undefined where it is too large or too deep. */
const shownSchema = (schema: ListedTool['parameters']): ListedTool['parameters'] | undefined => {
  if (isDeeperThan(serverLimits.schemaLevels, schema)) return undefined
  const { $schema: _, ...rest } = withVisibleTexts(schema) as Record<string, unknown>
  const shown = { ...rest, type: 'object' }
  return JSON.stringify(shown).length > serverLimits.schemaChars ? undefined : shown
}

/** Values such as `const` and `pattern` stay as they are: the server compares with them. */
const withVisibleTexts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withVisibleTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      typeof member === 'string' && (key === 'description' || key === 'title')
        ? shownText(member)
        : withVisibleTexts(member),
    ]),
  )
}
