import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './cli.ts'

/** Whether there is a terminal whose screen can be looked at. */
export const hasScreen: boolean = spawnSync('tmux', ['-V']).status === 0

/** The built `skills-agent` in a real terminal of a given size; `[Symbol.dispose]` ends it. */
export const onScreen = (dir: string, args: readonly string[], [width, height]: readonly [number, number]) => {
  const name = `skills-eval-test-${process.pid}-${performance.now().toFixed(0)}`
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(dir, '.home'),
    TERM: 'screen-256color',
    LC_ALL: 'C.UTF-8',
    NO_COLOR: '1',
  }
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-u', '-L', name, '-f', '/dev/null', ...words], { cwd: dir, env, encoding: 'utf8' })
  const command = [process.execPath, join(root, 'dist/skills-agent.cjs'), ...args].map((word) => `'${word}'`).join(' ')
  tmux('new-session', '-d', '-x', `${width}`, '-y', `${height}`, '-c', dir, `exec ${command}`)
  return {
    type: (text: string): void => void tmux('send-keys', '-l', '--', text),
    key: (...keys: readonly string[]): void => void tmux('send-keys', ...keys),
    paste: (text: string): void => {
      tmux('set-buffer', '--', text)
      tmux('paste-buffer', '-p')
    },
    resize: (columns: number, rows: number): void => void tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`),
    /** What is to be seen now, without the blanks at the ends of lines and the empty lines at the end. */
    lines: (): string[] =>
      tmux('capture-pane', '-p')
        .trimEnd()
        .split('\n')
        .map((line) => line.trimEnd()),
    [Symbol.dispose]: (): void => void spawnSync('tmux', ['-L', name, 'kill-server'], { env }),
  }
}
