import type { ShellWord } from '../lib/shell.ts'

/**
 * Long options that name a program or a setting, take these from elsewhere, or write to any file. Git takes each
 * unambiguous beginning: `--upload-p`.
 */
const longOptions = [
  ...['exec', 'exec-path', 'config-env', 'config', 'upload-pack', 'receive-pack', 'extcmd', 'ext-diff'],
  ...['open-files-in-pager', 'paginate', 'template', 'sequence-editor', 'gpg-program', 'run'],
  ...['git-dir', 'work-tree', 'output', 'output-directory', 'index-output', 'prefix', 'tool', 'tool-help'],
]

/** Whether an option of git may make it run another program, or write a file as a redirection would. */
export const isGitRunner = (value: string, words: readonly ShellWord[]): boolean => {
  if (/^-[^-]/.test(value)) return [...lettersOf(words)].some((letter) => value.includes(letter))
  const [, long] = /^--([^=]+)/.exec(value) ?? []
  return long !== undefined && longOptions.some((name) => name.startsWith(long))
}

/** Short options of that kind: before a subcommand `-c` is a setting, behind `commit` it is not. */
const lettersOf = (words: readonly ShellWord[]): string => {
  const second = words[words[1]?.value === '-C' ? 3 : 1]
  if (second?.value === undefined || !second.isOperand) return 'cxuOpo'
  return subcommandLetters.get(second.value) ?? 'O'
}

const subcommandLetters: ReadonlyMap<string, string> = new Map([
  ['clone', 'cu'],
  ['rebase', 'x'],
  ['archive', 'o'],
  ['format-patch', 'o'],
  ['bugreport', 'o'],
  ['diagnose', 'o'],
  ['mailsplit', 'o'],
])

/** Subcommands that run what they are given or what the configuration names, or serve others. */
const subcommands: ReadonlySet<string> = new Set([
  ...['config', 'bisect', 'filter-branch', 'filter-repo', 'difftool', 'mergetool', 'submodule', 'merge-index'],
  ...['daemon', 'shell', 'instaweb', 'credential', 'upload-pack', 'upload-archive', 'receive-pack', 'http-backend'],
  ...['send-email', 'imap-send', 'hook', 'maintenance', 'for-each-repo', 'help', 'web--browse', 'gui', 'citool'],
  ...['p4', 'svn', 'cvsimport', 'cvsserver', 'cvsexportcommit', 'archimport', 'quiltimport', 'checkout-index'],
])

/** Helpers of git's own (`submodule--helper`, `remote-ext`, `sh-setup`) are not for people. */
export const isGitHelper = (value: string): boolean =>
  subcommands.has(value) || /^(remote-|credential-|sh-)|^[a-z]+--[a-z]/.test(value)

/** `ext::sh -c id` as an address, and `submodule foreach`, `bisect run` where the rule names the subcommand alone. */
export const isGitCode = (value: string): boolean => /^(ext|fd)::|^(foreach|run)$/.test(value)
