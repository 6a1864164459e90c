import { existsSync, readlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { ProcessRequest, ProcessResult, ScriptPlaces } from '../../core/ports.ts'
import { scratchFolder } from '../files/scratch-folder.ts'

/** What came of the attempt: `holds`, or what got through, or that it could not be started. */
export type Attempt =
  | { readonly kind: 'holds' }
  | { readonly kind: 'leaks'; readonly what: readonly string[] }
  | { readonly kind: 'failed'; readonly said: string }

export type Trial = {
  readonly bash: string
  /** Runs a request in the isolation that is tried. */
  run(request: ProcessRequest, places: ScriptPlaces): Promise<ProcessResult>
}

/** Each line that it prints is something that it could do. The write outside is judged from outside: /tmp is its own. */
const script = `
(: > "$1") 2>/dev/null
(read -r line < "$2") 2>/dev/null && echo bait
(: > "/dev/tcp/127.0.0.1/$3") 2>/dev/null && echo network
(: >> /proc/sys/kernel/core_pattern) 2>/dev/null && echo system
(: > "$SKILL_DIR/written") 2>/dev/null && echo skill
[ "$(readlink /proc/self/ns/net)" = "$4" ] && echo network
while read -r key value; do [ "$key" = CapEff: ] && echo "capabilities $value"; done < /proc/self/status
(: > "$WORKSPACE/written") && echo workspace`

const noCapabilities = 'capabilities 0000000000000000'
const names: Readonly<Record<string, string>> = {
  outside: 'a write outside',
  bait: 'reading a file outside',
  network: 'the network',
  system: 'a setting of the system',
  skill: 'a write to the skill',
}

/**
 * Finds out whether an isolation isolates, by a script that tries to get out of it: a write outside, a bait file, a
 * loopback connection, the settings of the kernel, its own skill, its capabilities. It must also be able to work at all.
 */
export const tryIsolation = async (trial: Trial): Promise<Attempt> => {
  const scratch = scratchFolder('skills-eval-try-')
  const [workspace, home, skill] = [scratch.folder('workspace'), scratch.folder('home'), scratch.folder('skill')]
  const places = { workspace, home, skill }
  const [outside, bait] = [join(scratch.path(), 'outside'), join(scratch.path(), 'bait')]
  const listener = await listen()
  try {
    writeFileSync(bait, 'bait\n')
    const result = await trial.run(
      {
        command: [trial.bash, '-c', script, 'bash', outside, bait, String(listener.port), ownNetwork()],
        cwd: places.workspace,
        env: {
          PATH: '/usr/bin:/bin',
          LANG: 'C.UTF-8',
          HOME: places.home,
          SKILL_DIR: places.skill,
          WORKSPACE: places.workspace,
        },
        marker: 'HOME',
        timeoutMs: 10_000,
        keepBytes: 4096,
        signal: new AbortController().signal,
      },
      places,
    )
    const said = result.stdout.text.split('\n').filter((line) => line !== '')
    const worked = said.includes('workspace') && existsSync(join(places.workspace, 'written'))
    if (!worked) return { kind: 'failed', said: result.startError ?? firstLine(result) }
    const got = said.filter((line) => line !== 'workspace' && line !== noCapabilities)
    if (!said.includes(noCapabilities)) got.push('capabilities')
    if (existsSync(outside)) got.push('outside')
    if (listener.wasReached()) got.push('network')
    const what = [...new Set(got.map((line) => names[line] ?? 'capabilities'))]
    return what.length === 0 ? { kind: 'holds' } : { kind: 'leaks', what }
  } finally {
    listener.close()
    scratch.remove()
  }
}

const firstLine = ({ stderr, timedOut }: ProcessResult): string =>
  timedOut ? 'it did not end within 10 s' : (stderr.text.split('\n', 1)[0] ?? '')

const ownNetwork = (): string => {
  try {
    return readlinkSync('/proc/self/ns/net')
  } catch {
    return 'unknown'
  }
}

const listen = async () => {
  let reached = false
  const server = createServer((socket) => {
    reached = true
    socket.destroy()
  })
  const port = await new Promise<number>((resolve) => {
    // Where we can't listen, nobody can connect either.
    server.once('error', () => resolve(9))
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 9)
    })
  })
  return { port, wasReached: () => reached, close: () => server.close() }
}
