/** Names under which runtimes provide a shell, in lower case. */
const shellTools: ReadonlySet<string> = new Set([
  ...[
    'bash',
    'sh',
    'zsh',
    'dash',
    'ksh',
    'fish',
    'shell',
    'local_shell',
    'terminal',
    'exec',
    'cmd',
    'powershell',
    'pwsh',
  ],
  ...['execute_bash', 'execute_command', 'execute_shell', 'execute_shell_command', 'exec_command', 'bash_tool'],
  ...['run_bash', 'run_command', 'run_shell', 'run_shell_command', 'run_in_terminal', 'run_terminal_cmd', 'shell_exec'],
])

/** `mcp__box__run_command` and `box.bash` are shells as well. */
export const isShellTool = (name: string): boolean =>
  shellTools.has(name.toLowerCase()) || shellTools.has(plainToolName(name))

/** A tool's name without that of what provides it. */
export const plainToolName = (name: string): string => name.toLowerCase().replace(/^.*(__|[./:])/, '')
