import type { ShellWord } from '../lib/shell.ts'
import { isGitCode, isGitHelper, isGitRunner } from './git-fence.ts'

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
  ...['env', 'xargs', 'sudo', 'doas', 'su', 'runuser', 'pkexec', 'sg', 'nohup', 'timeout', 'nice', 'ionice', 'chrt'],
  ...['taskset', 'setsid', 'stdbuf', 'time', 'strace', 'ltrace', 'gdb', 'watch', 'parallel', 'flock', 'ssh', 'script'],
  ...['unshare', 'nsenter', 'chroot', 'fakeroot', 'proot', 'setpriv', 'capsh', 'systemd-run', 'entr', 'busybox'],
  ...['toybox', 'unbuffer', 'rlwrap', 'cpulimit', 'prlimit', 'setarch', 'dbus-run-session', 'bwrap', 'firejail'],
  ...['at', 'batch', 'crontab', 'eval', 'exec', 'command', 'builtin', 'source', '.', 'alias', 'unalias', 'trap'],
  ...['hash', 'enable', 'bind', 'complete', 'compgen', 'fc', 'history', 'jobs', 'mapfile', 'readarray', 'coproc'],
  ...['caller', 'noglob', 'nocorrect', 'repeat', '-', 'find', 'fd', 'fdfind', 'hyperfine', 'watchexec', 'nodemon'],
  ...['tmux', 'screen', 'socat', 'cmd', 'wsl', 'winpty'],
])

export const isRunner = (program: string): boolean => runners.has(program) || /^ld(-linux.*|-musl.*)?\.so/.test(program)

/** Programs that run other packages, scripts or containers: what they run stands in their words as well. */
const launchers = new Set([
  ...['npx', 'bunx', 'pnpx', 'npm', 'pnpm', 'yarn', 'corepack', 'uv', 'uvx', 'pipx', 'poetry', 'pdm', 'hatch', 'rye'],
  ...['conda', 'mamba', 'bundle', 'asdf', 'mise', 'direnv', 'dotenv', 'cross-env', 'concurrently', 'nix', 'nix-shell'],
  ...[
    'docker',
    'podman',
    'nerdctl',
    'kubectl',
    'lxc',
    'vagrant',
    'make',
    'gmake',
    'just',
    'task',
    'zip',
    'split',
    'rg',
  ],
])

/** Whether a command that a fence names may stand among the words. */
export const mayLaunch = (program: string): boolean => isRunner(program) || launchers.has(program) || isEditor(program)

/** Programs with commands of their own, one of which starts a shell: `vim -c '!id'`, `less +!id`. */
const editors = new Set([
  ...[
    'vim',
    'vi',
    'nvim',
    'view',
    'vimdiff',
    'ex',
    'ed',
    'emacs',
    'emacsclient',
    'less',
    'more',
    'most',
    'man',
    'info',
  ],
  ...['ftp', 'sftp', 'lftp', 'dc', 'sqlite3', 'psql', 'mysql', 'mutt', 'telnet', 'nano', 'pico'],
])

const isEditor = (program: string): boolean => editors.has(program)

/** Builtins that evaluate a name or a number they are given: `unset 'a[$(id)]'` runs id. */
const evaluators = new Set([
  ...['let', 'declare', 'typeset', 'local', 'export', 'readonly', 'read', 'unset', 'printf', 'test', '[', '[[', 'wait'],
  ...['set', 'shopt', 'getopts'],
])

export const isEvaluator = (program: string): boolean => evaluators.has(program)

/** Whether no rule with an open end may cover it: what follows decides which command runs. */
export const isNeverOpen = (program: string): boolean =>
  isInterpreter(program) || isEditor(program) || isEvaluator(program) || (isRunner(program) && !isFinder(program))

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
  if (rest.some(({ value }) => value !== undefined && fence.code?.(value))) return true
  // A subcommand that the rule itself names was meant.
  return named < 2 && words.some(({ value }, i) => i >= 1 && (value === undefined ? i === 1 : fence.word?.(value)))
}

type Fence = {
  /** Options that name a program or settings. */
  readonly option: (value: string, words: readonly ShellWord[]) => boolean
  /** Subcommands that run others, unless a rule names them. */
  readonly word?: (value: string) => boolean
  /** What is code wherever it stands. */
  readonly code?: (value: string) => boolean
}

const options = (pattern: RegExp): Fence => ({ option: (value) => pattern.test(value) })

const packager: Fence = {
  // The shell that scripts are run by, and where settings are read.
  option: (value) => /^-(C|c)|^--(sc|sh|pre|node|user|gl|ca|ed|vi|br|git|init|dir|cwd|config|pack)/.test(value),
  word: (value) => /^(exec|x|dlx|explore|edit|config|c|set|init|innit|create|node)$/.test(value),
}

const finder = options(/^-[^-]*[xX]|^--ex/)

const fences: ReadonlyMap<string, Fence> = new Map<string, Fence>([
  ['git', { option: isGitRunner, word: isGitHelper, code: isGitCode }],
  ['find', options(/^-(exec|ok|delete|fprint|fls|files0-from)/)],
  ['fd', finder],
  ['fdfind', finder],
  ['tar', options(/^[^-]*[IF]|^-[^-]*[IF]|^--(to|ch|us|in|ne|rsh|rmt|info|new)/)],
  ['sort', options(/^-[^-]*[oT]|^--(co|o)/)],
  ['rsync', options(/^-[^-]*e|^--(rs|da)/)],
  ['sed', options(/^/)],
  ['npm', packager],
  ['pnpm', packager],
  ['yarn', packager],
  ['npx', options(/^-[^-]*c|^--(ca|sh|sc|pack|node)/)],
  ['rg', options(/^--(pre|host)/)],
  ['split', options(/^--f/)],
  ['zip', options(/^-[^-]*T|^--(unzip|test)/)],
  ['pandoc', options(/^-[^-]*[FLd]|^--(f|l|pdf-e|de)|\.lua$/)],
  ['wget', options(/^-[^-]*e|^--(ex|use-a|conf)/)],
  ['curl', options(/^-[^-]*K|^--conf/)],
  ['scp', options(/^-[^-]*[SoFD]/)],
  ['go', options(/^--?(exec|toolexec|vettool|overlay|modfile|C)/)],
  ['cargo', options(/^-C|^--conf/)],
  ['sdiff', options(/^--d/)],
  ['diff3', options(/^--d/)],
])
