import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './cli.ts'

/** `columns`: the terminal gets this width. */
export type PtyStep = { readonly until: string; readonly type: string; readonly columns?: number }

/**
 * Runs the built program at a pseudo-terminal; each step waits until a text has appeared and then types. What the
 * terminal got comes back with the exit code (128 + n where signal n ended it).
 */
export const atTerminal = (
  dir: string,
  args: readonly string[],
  steps: readonly PtyStep[],
  env: Readonly<Record<string, string>> = {},
  program: 'skills-agent' | 'skills-eval' = 'skills-agent',
  columns = 120,
): { readonly code: number; readonly screen: string } => {
  const command = [process.execPath, join(root, `dist/${program}.cjs`), ...args]
  const result = spawnSync('python3', ['-c', driver, JSON.stringify({ command, steps, dir, columns })], {
    encoding: 'utf8',
    timeout: 90_000,
    env: { PATH: process.env.PATH ?? '', HOME: join(dir, '.home'), TERM: 'xterm', NO_COLOR: '1', ...env },
  })
  if (result.status !== 0) throw new Error(`the driver failed: ${result.stderr}`)
  return JSON.parse(result.stdout)
}

const driver = `
import fcntl, json, os, pty, select, signal, struct, sys, termios, time
task = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    # A new terminal has no size: nothing could be laid out on it.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, task["columns"], 0, 0))
    os.chdir(task["dir"])
    os.execvp(task["command"][0], task["command"])
screen, seen, steps, end = b"", 0, list(task["steps"]), time.time() + 60
while True:
    if time.time() > end:
        os.kill(pid, signal.SIGKILL)
        break
    ready, _, _ = select.select([fd], [], [], 0.2)
    if ready:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        screen += data
    while steps:
        at = screen.find(steps[0]["until"].encode(), seen)
        if at < 0:
            break
        seen = at + len(steps[0]["until"].encode())
        # One key at a time, as a person types: an escape sequence stays whole.
        if steps[0].get("columns"):
            fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, steps[0]["columns"], 0, 0))
            os.kill(pid, signal.SIGWINCH)
        os.write(fd, steps[0]["type"].encode())
        steps.pop(0)
_, status = os.waitpid(pid, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "screen": screen.decode(errors="replace")}))
`
