import type { ActionType } from '../core/actions.ts'
import type { Tool } from '../core/ports.ts'
import type { TouchedFiles } from './touched-files.ts'

/** The same tools; what they touch without going through the workspace, or more of than they need, is told of. */
export const notedTools = (
  tools: ReadonlyMap<ActionType, Tool>,
  touched: TouchedFiles | undefined,
): ReadonlyMap<ActionType, Tool> => {
  if (touched === undefined) return tools
  const by: Partial<Record<ActionType, (tool: Tool, touched: TouchedFiles) => Tool>> = {
    run_script: notedScript,
    call_tool: notedCall,
    grep: notedSearch,
  }
  return new Map([...tools].map(([type, tool]) => [type, by[type]?.(tool, touched) ?? tool]))
}

/** A script reads files that no tool of ours sees; its arguments name most of them. */
const notedScript = (tool: Tool, touched: TouchedFiles): Tool => ({
  ...tool,
  run: (params, context) => {
    touched.noteArguments(Array.isArray(params.args) ? params.args.map(String) : [])
    return watched('script', touched, () => tool.run(params, context))
  },
})

const notedCall = (tool: Tool, touched: TouchedFiles): Tool => ({
  ...tool,
  run: (params, context) => watched('tool', touched, () => tool.run(params, context)),
})

const watched = async <T>(program: 'script' | 'tool', touched: TouchedFiles, run: () => Promise<T>): Promise<T> => {
  const ended = touched.watch(program)
  try {
    return await run()
  } finally {
    ended()
  }
}

const notedSearch = (tool: Tool, touched: TouchedFiles): Tool => ({
  ...tool,
  run: async (params, context) => {
    const { workspace, done } = touched.search()
    const result = await tool.run(params, { ...context, workspace })
    const found = filesOf(result.text)
    done((path) => found.has(path))
    return result
  },
})

/** Of lines such as `data/x.csv:12: text`: a path too may have what looks like a number of a line. */
const filesOf = (text: string): ReadonlySet<string> =>
  new Set(text.split('\n').flatMap((line) => [...line.matchAll(/:\d+: /g)].map(({ index }) => line.slice(0, index))))
