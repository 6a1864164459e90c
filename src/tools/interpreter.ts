/** Finds a program on the search path: its absolute path, or undefined. */
export type FindProgram = (name: string) => string | undefined

export type Interpreter = { readonly command: readonly string[] } | { readonly problem: string }

const byExtension: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ['py', [['python3'], ['python']]],
  ['sh', [['bash'], ['sh']]],
  ['bash', [['bash']]],
  ['js', [['node']]],
  ['mjs', [['node']]],
  ['cjs', [['node']]],
  ['ts', [['tsx'], ['bun'], ['deno', 'run']]],
])

/**
 * Which program runs a script: its shebang, then its extension. `head` is the start of the file. For .ts without a
 * shebang, Node itself where it strips types (`nodeRunsTypeScript`), else tsx, bun or deno.
 */
export const chooseInterpreter = (
  path: string,
  head: string,
  find: FindProgram,
  nodeRunsTypeScript: boolean,
): Interpreter => {
  const shebang = /^#![ \t]*([^\r\n]+)/.exec(head)?.[1]?.trim()
  if (shebang) return fromShebang(path, shebang, find)
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const candidates = extension === 'ts' && nodeRunsTypeScript ? [['node']] : byExtension.get(extension)
  if (!candidates) {
    const known = [...byExtension.keys()].map((name) => `.${name}`)
    return { problem: `${path} has no shebang and its extension is none of ${known.join(', ')}: it can't be run` }
  }
  for (const [program = '', ...rest] of candidates) {
    const found = find(program)
    if (found) return { command: [found, ...rest] }
  }
  const names = candidates.map(([program]) => program).join(' or ')
  return { problem: `${path} needs ${names}, which is not installed here` }
}

const fromShebang = (path: string, shebang: string, find: FindProgram): Interpreter => {
  const words = shebang.split(/\s+/)
  const isEnv = /(^|\/)env$/.test(words[0] ?? '')
  const [program = '', ...rest] = isEnv ? words.slice(words[1] === '-S' ? 2 : 1) : words
  // The absolute path of a shebang is one machine's; its name is what the author means.
  const name = program.slice(program.lastIndexOf('/') + 1)
  if (name === '' || /^-|=/.test(program)) {
    return { problem: `${path} has a shebang that does not begin with a program: #!${shebang}` }
  }
  const found = (program.startsWith('/') ? find(program) : undefined) ?? find(name)
  return found ? { command: [found, ...rest] } : { problem: `${path} needs ${name}, which is not installed here` }
}
