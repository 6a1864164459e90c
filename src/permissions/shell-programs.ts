import type { ShellWord } from '../lib/shell.ts'

/** `/usr/bin/Git` → `git`. */
export const programOf = (value: string): string =>
  value
    .slice(value.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.exe$/, '')

const shells = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'csh', 'tcsh', 'rbash'])

export const isShell = (program: string): boolean => shells.has(program)

const interpreter =
  /^(python|pypy|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|luajit|[gmn]?awk|osascript|pwsh|powershell|rscript|tclsh|wish|expect|guile|jshell|groovy)[\d.]*$/

/** Programs that run what they are given as code. */
export const isInterpreter = (program: string): boolean => isShell(program) || interpreter.test(program)

/** Programs and builtins that run, or prepare to run, another command that stands in their words. */
const runners = new Set([
  ...[
    'env',
    'xargs',
    'sudo',
    'doas',
    'su',
    'runuser',
    'nohup',
    'timeout',
    'nice',
    'ionice',
    'chrt',
    'taskset',
    'setsid',
  ],
  ...['stdbuf', 'time', 'strace', 'ltrace', 'gdb', 'watch', 'parallel', 'flock', 'ssh', 'script', 'unshare', 'nsenter'],
  ...[
    'chroot',
    'setpriv',
    'capsh',
    'systemd-run',
    'entr',
    'busybox',
    'toybox',
    'unbuffer',
    'dbus-run-session',
    'bwrap',
  ],
  ...[
    'eval',
    'exec',
    'command',
    'builtin',
    'source',
    '.',
    'alias',
    'unalias',
    'trap',
    'hash',
    'enable',
    'bind',
    'complete',
  ],
  ...['compgen', 'fc', 'mapfile', 'readarray', 'coproc', 'caller', 'find', 'fd', 'fdfind'],
])

export const isRunner = (program: string): boolean => runners.has(program)

/** Builtins that evaluate a name or a number they are given: `unset 'a[$(id)]'` runs id. */
const evaluators = new Set([
  ...[
    'let',
    'declare',
    'typeset',
    'local',
    'export',
    'readonly',
    'read',
    'unset',
    'printf',
    'test',
    '[',
    'wait',
    'set',
  ],
  ...['shopt', 'getopts'],
])

/** Whether no rule with an open end may cover it: what follows decides which command runs. */
export const isNeverOpen = (program: string): boolean =>
  isInterpreter(program) || evaluators.has(program) || (isRunner(program) && !isFinder(program))

/** Programs that run a command on what they find, where an option says so. */
export const isFinder = (program: string): boolean => program === 'find' || program === 'fd' || program === 'fdfind'

/** Where a wrapper without options leaves a command as it is: how many words stand before that. */
const wrapped: ReadonlyMap<string, number> = new Map([
  ['timeout', 2],
  ['nohup', 1],
  ['command', 1],
  ['nice', 1],
])

/** `timeout 5 git status` → `git status`; undefined where the words are no such wrapper or not known. */
export const unwrap = (words: readonly ShellWord[]): readonly ShellWord[] | undefined => {
  const [name, first, second] = words
  const count = name?.value === undefined ? undefined : wrapped.get(name.value)
  if (count === undefined || !isLiteralOperand(first)) return undefined
  if (count === 2 && !(/^\d+(\.\d+)?[smhd]?$/.test(first?.value ?? '') && isLiteralOperand(second))) return undefined
  return words.slice(count)
}

const isLiteralOperand = (word: ShellWord | undefined): boolean => word?.value !== undefined && word.isOperand

/** Whether these words, which follow what a rule names, may make the program run another one. */
export const mayRunAnother = (program: string, words: readonly ShellWord[], named: number): boolean => {
  const rest = words.slice(named)
  const fence = fences.get(program)
  if (!fence) return false
  if (rest.some(({ value, isOperand }) => value === undefined && !isOperand)) return true
  const end = rest.findIndex(({ value }) => value === '--')
  const options = end < 0 ? rest : rest.slice(0, end)
  if (options.some(({ value }) => value !== undefined && fence.option(value, words))) return true
  // A subcommand that the rule itself names was meant.
  return named < 2 && words.some(({ value }, i) => i >= 1 && (value === undefined ? i === 1 : fence.word(value)))
}

type Fence = {
  readonly option: (value: string, words: readonly ShellWord[]) => boolean
  readonly word: (value: string) => boolean
}

const gitOptions = ['exec', 'exec-path', 'config-env', 'config', 'upload-pack', 'receive-pack', 'extcmd', 'ext-diff']
const gitPagers = ['open-files-in-pager', 'paginate', 'template', 'sequence-editor', 'gpg-program', 'run']

/** Git takes any unambiguous beginning of a long option, and bundles of short ones: `--upload-p`, `-qc`. */
const isGitRunner = (value: string, words: readonly ShellWord[]): boolean => {
  if (/^-[^-]/.test(value)) return [...gitLetters(words)].some((letter) => value.includes(letter))
  const [, long] = /^--([^=]+)/.exec(value) ?? []
  return long !== undefined && [...gitOptions, ...gitPagers].some((name) => name.startsWith(long) || long === name)
}

/** Short options that name a program or a setting: before a subcommand `-c` is one, behind `commit` it is not. */
const gitLetters = ([, second]: readonly ShellWord[]): string => {
  if (second?.value === undefined || !second.isOperand) return 'cxuOp'
  return subcommandLetters.get(second.value) ?? 'O'
}

const subcommandLetters: ReadonlyMap<string, string> = new Map([
  ['clone', 'cu'],
  ['rebase', 'x'],
])

const gitCommands = new Set([
  ...[
    'config',
    'bisect',
    'filter-branch',
    'difftool',
    'mergetool',
    'submodule',
    'daemon',
    'shell',
    'instaweb',
    'credential',
  ],
  ...[
    'remote-ext',
    'upload-pack',
    'receive-pack',
    'send-email',
    'hook',
    'maintenance',
    'for-each-repo',
    'help',
    'web--browse',
  ],
])

const noWord = () => false

const fences: ReadonlyMap<string, Fence> = new Map<string, Fence>([
  ['git', { option: isGitRunner, word: (value) => gitCommands.has(value) || value.startsWith('ext::') }],
  ['find', { option: (value) => /^-(exec|ok|delete|fprint|fls|files0-from)/.test(value), word: noWord }],
  ['fd', { option: (value) => /^-[^-]*[xX]|^--ex/.test(value), word: noWord }],
  ['fdfind', { option: (value) => /^-[^-]*[xX]|^--ex/.test(value), word: noWord }],
  [
    'tar',
    { option: (value) => /^[^-]*[IF]|^-[^-]*[IF]|^--(to|ch|us|in|ne|rsh|rmt|info|new)/.test(value), word: noWord },
  ],
  ['sort', { option: (value) => /^-[^-]*[oT]|^--(co|o)/.test(value), word: noWord }],
  ['rsync', { option: (value) => /^-[^-]*e|^--(rs|da)/.test(value), word: noWord }],
  ['sed', { option: () => true, word: noWord }],
])
