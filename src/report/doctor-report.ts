import type { Isolation } from '../core/ports.ts'
import { foreignLine } from './foreign-text.ts'
import { plural } from './format-number.ts'
import { isolationLine } from './isolation-text.ts'
import { painter, type Tone } from './tone.ts'

export type FoundProgram = { readonly name: string; readonly path: string | null; readonly version: string | null }

/** What works on this machine for this project. Names and paths only: never a value of the environment. */
export type Checkup = {
  /** Whether all that the configuration requires is there; `problems` says what is not. */
  readonly ok: boolean
  readonly problems: readonly string[]
  readonly version: string
  readonly node: { readonly version: string; readonly supported: boolean }
  readonly platform: string
  readonly interpreters: readonly FoundProgram[]
  /** What runs .ts files: a program's name; null where nothing does. */
  readonly typescript: string | null
  readonly git: FoundProgram
  readonly sandbox: { readonly configured: 'auto' | 'require' | 'off'; readonly isolation: Isolation }
  readonly limits: {
    readonly prlimit: string | null
    readonly script_seconds: number
    readonly script_memory_mb: number
    readonly script_file_mb: number
  }
  readonly project: string
  readonly config: { readonly files: readonly string[]; readonly problems: readonly string[] }
  readonly skill_roots: readonly { readonly path: string; readonly source: string; readonly skills: number | null }[]
  /** `count` is null where the folder is not there; `unreadable` of them are no recordings. */
  readonly recordings: { readonly path: string; readonly count: number | null; readonly unreadable: number }
  /** Who judges rubrics where a suite names nobody; null: nobody does. `key`: null where none is needed. */
  readonly judge: {
    readonly profile: string
    readonly provider: string
    readonly model: string | null
    readonly key: { readonly name: string; readonly present: boolean } | null
  } | null
  readonly keys: readonly { readonly name: string; readonly present: boolean }[]
  /** Configured MCP servers: the program or the address, and variables that it needs and that are not set. None is started. */
  readonly mcp: readonly { readonly name: string; readonly what: string; readonly lacks: readonly string[] }[]
  readonly cache: { readonly path: string; readonly present: boolean }
}

/** What `doctor` prints: one line for each thing, what is missing marked, what to do about it below. */
export const checkupText = (found: Checkup, { color }: { readonly color: boolean }): string => {
  const paint = painter(color)
  const line = (tone: Tone, mark: string, label: string, text: string) =>
    `${paint(mark, tone)} ${label.padEnd(13)} ${foreignLine(text, 1000)}\n`
  const good = (label: string, text: string) => line('good', '✓', label, text)
  const bad = (label: string, text: string) => line('bad', '✗', label, text)
  const missing = (label: string, text: string) => line('faint', '-', label, text)
  const more = (text: string) => `${' '.repeat(16)}${foreignLine(text, 1000)}\n`

  const program = ({ name, path, version }: FoundProgram) =>
    path === null ? missing(name, 'not found') : good(name, `${version ?? 'of unknown version'} (${path})`)
  const recordingsLine = ({ path, count, unreadable }: Checkup['recordings']) => {
    if (count === null) return missing('recordings', `${path} is not there: nothing is recorded`)
    const text = `${path}: ${plural(count, 'recording')}`
    return unreadable === 0 ? good('recordings', text) : bad('recordings', `${text}, ${unreadable} of them unreadable`)
  }
  const judgeLine = (judge: Checkup['judge']) => {
    if (judge === null)
      return missing('judge', 'no model profile `judge`: suites with rubrics need one, see docs/judge.md')
    const what = [judge.provider, judge.model].filter((part) => part !== null).join(' ')
    if (judge.key === null) return good('judge', `${what}, needs no key`)
    return judge.key.present
      ? good('judge', `${what}, ${judge.key.name} is set`)
      : missing('judge', `${what}, ${judge.key.name} is not set: verdicts can be replayed only`)
  }
  const { isolation, configured } = found.sandbox
  const { limits, config } = found

  return [
    good('skills-eval', found.version),
    (found.node.supported ? good : bad)('node', `${found.node.version} on ${found.platform}`),
    ...found.interpreters.map(program),
    found.typescript === null
      ? missing('TypeScript', 'no program here runs .ts files')
      : good('TypeScript', found.typescript),
    program(found.git),
    (isolation.kind === 'bubblewrap' ? good : configured === 'require' ? bad : missing)(
      'isolation',
      `${isolationLine(isolation)} (sandbox: ${configured})`,
    ),
    ...(isolation.kind === 'none' && configured !== 'require'
      ? [more('Scripts run with your rights: they can read your files and use the network. See docs/sandbox.md')]
      : []),
    ...(isolation.kind === 'none' && isolation.hint !== undefined ? [more(isolation.hint)] : []),
    limits.prlimit === null
      ? missing('limits', `time ${limits.script_seconds} s; none on memory and files: prlimit (util-linux) is not here`)
      : good(
          'limits',
          `time ${limits.script_seconds} s, memory ${limits.script_memory_mb} MiB, files ${limits.script_file_mb} MiB`,
        ),
    good('project', found.project),
    config.problems.length > 0
      ? bad('configuration', config.problems[0] ?? '')
      : config.files.length === 0
        ? missing('configuration', 'none: defaults hold')
        : good('configuration', config.files.join(', ')),
    ...config.problems.slice(1).map(more),
    ...found.skill_roots.map(({ path, source, skills }) =>
      skills === null
        ? missing('skill root', `${path} (${source}) is not there`)
        : good('skill root', `${path} (${source}): ${plural(skills, 'skill')}`),
    ),
    recordingsLine(found.recordings),
    judgeLine(found.judge),
    ...found.mcp.map(({ name, what, lacks }) =>
      lacks.length === 0
        ? good('MCP server', `${name}: ${what}`)
        : missing('MCP server', `${name}: ${what}; not here: ${lacks.join(', ')}`),
    ),
    ...found.keys.map(({ name, present }) =>
      (present ? good : missing)('key', `${name} ${present ? 'is set' : 'is not set'}`),
    ),
    (found.cache.present ? good : missing)(
      'cache',
      `${found.cache.path}${found.cache.present ? '' : ' (not made yet)'}`,
    ),
    ...found.problems.map((problem) => `error: ${foreignLine(problem, 1000)}\n`),
  ].join('')
}
