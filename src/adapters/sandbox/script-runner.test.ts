import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Isolation } from '../../core/ports.ts'
import { noIsolationHere, runnerOptions, scriptBench } from './script-runner.test-support.ts'
import { scriptRunner } from './script-runner.ts'

const reason = await noIsolationHere()
const isolated = scriptRunner(runnerOptions({ mode: 'require' }))

describe.skipIf(reason !== undefined)(
  `an isolated script${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    test('says what isolates it', async () => {
      expect(await isolated.isolation()).toEqual({
        kind: 'bubblewrap',
        version: expect.stringMatching(/^\d+\.\d+/),
        network: false,
      })
    })

    test('works in its workspace and its home, and what it writes is ours', async () => {
      const { run, places } = scriptBench(isolated)
      const { out, err } = await run(
        'echo made > made.txt; mkdir -p sub; echo x > sub/y; echo z > ~/z; cat made.txt; pwd',
      )
      expect([out, err]).toEqual([`made\n${places.workspace}\n`, ''])
      expect(lstatSync(join(places.workspace, 'made.txt')).uid).toBe(process.getuid?.())
      rmSync(places.workspace, { recursive: true })
    })

    test('reads its skill', async () => {
      expect((await scriptBench(isolated).run('cat "$SKILL_DIR/SKILL.md"')).out).toBe('# Skill\n')
    })

    test.each([
      ['a write to the system', 'echo x > /usr/skills-eval-written'],
      ['a write to its own skill', 'echo x >> "$SKILL_DIR/SKILL.md"'],
      ['a new file in its own skill', 'echo x > "$SKILL_DIR/written"'],
      ['removing its skill', 'rm -rf "$SKILL_DIR"'],
      ['reading a file outside', 'cat "$OUTSIDE/secret.txt"'],
      ['reading through a link', 'ln -s "$OUTSIDE/secret.txt" l && cat l'],
      ['reading through /proc', 'cat "/proc/1/root$OUTSIDE/secret.txt"'],
      ['the passwords of the system', 'cat /etc/shadow'],
      ['a setting of the kernel', ': >> /proc/sys/kernel/core_pattern'],
      ['the program that the kernel calls', ': >> /proc/sys/kernel/modprobe'],
      ['a mount', 'mount -t tmpfs none /usr'],
      ['making its skill writable', 'mount -o remount,bind,rw "$SKILL_DIR"'],
      ['making the system writable', 'mount -o remount,bind,rw /usr'],
      ['further user namespaces', 'unshare -Ur true'],
      ['another root', 'chroot "$WORKSPACE" /bin/true'],
      ['devices', 'mknod disk b 8 0'],
      ['its configuration', 'echo {} > .agent/config.json'],
      ['its configuration, moved away', 'mv .agent x'],
      ['its configuration, removed', 'rmdir .agent'],
      ['settings of another agent', 'echo {} > .claude/settings.json'],
      ['hooks of git', 'mkdir -p .git/hooks && echo x > .git/hooks/pre-commit'],
      ['settings of git', 'echo x > .git/config'],
      ['git, moved away', 'mv .git x'],
    ])('is refused %s', async (_, code) => {
      const { run, folder, places } = scriptBench(isolated)
      const { out, err } = await run(`(${code}) && echo DONE`)
      expect(out).not.toContain('DONE')
      expect(out).not.toContain('bait')
      expect(err).not.toBe('')
      expect(readFileSync(join(folder, 'secret.txt'), 'utf8')).toBe('bait\n')
      expect(readFileSync(join(places.skill, 'SKILL.md'), 'utf8')).toBe('# Skill\n')
      expect(readdirSync(places.skill)).toEqual(['SKILL.md'])
      expect(existsSync(join(folder, 'written'))).toBe(false)
      // Nothing is left of what was mounted either.
      expect(readdirSync(places.workspace).filter((name) => name !== 'l')).toEqual([])
    })

    test.each([
      'echo x > "$OUTSIDE/written"',
      'echo x >> "$OUTSIDE/secret.txt"',
      'rm -rf "$OUTSIDE"',
      'echo x > /tmp/written',
    ])('changes nothing outside with %s', async (code) => {
      // Folders above its own are empty ones that end with it: a write into them may succeed, and reaches nobody.
      const { run, folder } = scriptBench(isolated)
      await run(code)
      expect(readFileSync(join(folder, 'secret.txt'), 'utf8')).toBe('bait\n')
      expect([join(folder, 'written'), '/tmp/written'].filter((path) => existsSync(path))).toEqual([])
      expect(readdirSync(folder).sort()).toEqual(['home', 'secret.txt', 'skill', 'workspace'])
    })

    test('has no capabilities', async () => {
      const { out } = await scriptBench(isolated).run('grep ^Cap /proc/self/status | cut -f2 | sort -u')
      expect(out).toBe('0000000000000000\n')
    })

    test('sees no process but its own, and no environment but its own', async () => {
      process.env.SKILLS_EVAL_TEST_SECRET = 'leaked'
      const { out } = await scriptBench(isolated).run(
        'cat /proc/[0-9]*/environ /proc/$PPID/environ | tr "\\0" "\\n"; ls /proc',
      )
      delete process.env.SKILLS_EVAL_TEST_SECRET
      expect(out).toContain('HOME=')
      expect(out).not.toContain('SKILLS_EVAL_TEST_SECRET')
      expect(out.split('\n').filter((name) => /^\d+$/.test(name)).length).toBeLessThan(6)
    })

    test('finds nothing of the home of whoever started it, nor of the project', async () => {
      const inHome = tempName(process.env.HOME ?? '/root')
      const inProject = tempName(process.cwd())
      try {
        for (const file of [inHome, inProject]) writeFileSync(file, 'bait\n')
        const { out } = await scriptBench(isolated).run(`cat "${inHome}" "${inProject}"`)
        expect(out).toBe('')
      } finally {
        for (const file of [inHome, inProject]) rmSync(file)
      }
    })

    test('reaches no network, unless the configuration gives it', async () => {
      let reached = 0
      const server = createServer((socket) => {
        reached += 1
        socket.on('error', () => undefined).end('hello\n')
      })
      const port = await new Promise<number>((done) => {
        server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port))
      })
      const connect = `exec 3<> /dev/tcp/127.0.0.1/${port} && head -1 <&3`
      try {
        const without = await scriptBench(isolated).run(connect)
        expect([without.out, reached]).toEqual(['', 0])
        const open = scriptRunner(runnerOptions({ mode: 'require', network: true }))
        const { out } = await scriptBench(open).run(connect)
        expect([out, reached]).toEqual(['hello\n', 1])
        expect(await open.isolation()).toMatchObject({ kind: 'bubblewrap', network: true })
      } finally {
        server.close()
      }
    })

    test('can read a repository in its workspace, not change it', async () => {
      const { run, places } = scriptBench(isolated, {
        'workspace/.git/config': '[core]\n',
        'workspace/.git/HEAD': 'x\n',
      })
      const { out } = await run(
        'cat .git/config; echo evil >> .git/config; echo x > .git/commondir; mv .git other; echo end',
      )
      expect(out).toBe('[core]\nend\n')
      expect(readFileSync(join(places.workspace, '.git/config'), 'utf8')).toBe('[core]\n')
      expect(readdirSync(join(places.workspace, '.git')).sort()).toEqual(['HEAD', 'config'])
    })

    test('does not see the configuration in its workspace', async () => {
      const { run, places } = scriptBench(isolated, { 'workspace/.agent/config.json': '{"key":"bait"}' })
      expect((await run('cat .agent/config.json; ls -A .agent')).out).toBe('')
      expect(existsSync(join(places.workspace, '.agent/config.json'))).toBe(true)
    })

    test.each(['.agent/skills/csv', 'skills/csv', 'packs/own/skills/csv', 'csv'])(
      'can’t change a skill that lies in its workspace as %s, nor put another in its place',
      async (path) => {
        const { run, places } = scriptBench(isolated, { [`workspace/${path}/SKILL.md`]: 'old\n' })
        const skill = join(places.workspace, path)
        const top = path.split('/')[0]
        const { out } = await run(
          `cat "$SKILL_DIR/SKILL.md"; echo new > "$SKILL_DIR/SKILL.md"; mv ${top} moved; mkdir -p ${path}; echo new > ${path}/SKILL.md; mv packs/own packs/x; mkdir -p ${path}; echo new > ${path}/SKILL.md`,
          {},
          { skill },
        )
        expect(out).toBe('old\n')
        expect(readFileSync(join(skill, 'SKILL.md'), 'utf8')).toBe('old\n')
      },
    )

    test('leaves no folder in the workspace while and after others run there', async () => {
      const { run, places } = scriptBench(isolated)
      const long = run('sleep 0.6; echo x > .agent/config.json; ls -A')
      await new Promise((resolve) => setTimeout(resolve, 200))
      await run('true')
      const { out, err } = await long
      expect(out.split('\n')).toContain('.agent')
      expect(err).toContain('Read-only file system')
      expect(readdirSync(places.workspace)).toEqual([])
    })

    test('is refused a workspace that holds a Unix socket', async () => {
      const { run, places } = scriptBench(isolated)
      mkdirSync(join(places.workspace, 'sub'))
      const server = createServer()
      await new Promise<void>((done) => void server.listen(join(places.workspace, 'sub/door.sock'), done))
      try {
        expect((await run('echo ran')).refused).toBe(
          "it can't be isolated: the workspace holds the Unix socket sub/door.sock: a script could talk to the program behind it",
        )
      } finally {
        server.close()
      }
    })

    test('is refused a workspace whose configuration is a link', async () => {
      const { run, places } = scriptBench(isolated)
      symlinkSync('elsewhere', join(places.workspace, '.agent'))
      expect((await run('echo ran')).refused).toBe(
        "it can't be isolated: .agent in the workspace is a link, which can't be kept from a script",
      )
    })

    test.each(['/', '/usr', '/var'])('is refused the workspace %s', async (workspace) => {
      const { refused } = await scriptBench(isolated).run('echo ran', { cwd: '/' }, { workspace })
      expect(refused).toMatch(/^it can't be isolated: the workspace .* holds the system folder/)
    })

    test('is found to be killed, or to have failed, as outside', async () => {
      const { run } = scriptBench(isolated)
      expect((await run('kill -9 $$')).result).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
      expect((await run('exit 3')).result).toMatchObject({ exitCode: 3, signal: null })
      expect((await run('exit 255')).result).toMatchObject({ exitCode: 255, signal: null })
    })

    test('may end in its own way when its time is over', async () => {
      const { run } = scriptBench(isolated)
      const { result, out } = await run('trap "echo bye; exit 7" TERM; sleep 60 & wait', { timeoutMs: 600 })
      expect([result?.exitCode, result?.timedOut, out]).toEqual([7, true, 'bye\n'])
    })
  },
)

const tempName = (folder: string): string => join(folder, `.skills-eval-test-${process.pid}`)

describe('where there is no bubblewrap', () => {
  const without = (mode: 'auto' | 'require' | 'off') => {
    const told: Isolation[] = []
    const runner = scriptRunner(runnerOptions({ mode, bwrap: undefined, notIsolated: (found) => told.push(found) }))
    return { ...scriptBench(runner), told, runner }
  }
  const none = { kind: 'none', reason: 'bwrap is not installed', hint: expect.stringContaining('Install') }

  test('a script runs, and that it is not isolated is told once', async () => {
    const { run, told, runner } = without('auto')
    // One after the other: with the end of a script goes whatever else has its HOME.
    expect([(await run('echo a')).out, (await run('echo b')).out]).toEqual(['a\n', 'b\n'])
    expect(told).toEqual([none])
    expect(await runner.isolation()).toEqual(none)
  })

  test('no script runs where isolation is required', async () => {
    const { run, told, places } = without('require')
    const { refused } = await run('touch ran')
    expect(refused).toBe(
      'sandbox: require allows no script without isolation, and there is none: bwrap is not installed',
    )
    expect([told, readdirSync(places.workspace)]).toEqual([[none], []])
  })

  test('nothing is said where isolation is switched off', async () => {
    const { run, told, runner } = without('off')
    expect((await run('echo a')).out).toBe('a\n')
    expect(told).toEqual([])
    expect(await runner.isolation()).toEqual({ kind: 'none', reason: 'the configuration says sandbox: off' })
  })
})

describe('a bubblewrap that does not work', () => {
  /** A program in the place of bwrap. */
  const fake = (code: string) => {
    const { folder } = scriptBench(isolated, { bwrap: `#!/bin/bash\n${code}\n` })
    const bwrap = join(folder, 'bwrap')
    chmodSync(bwrap, 0o755)
    return scriptRunner(runnerOptions({ mode: 'auto', bwrap, prlimit: undefined, find: (name) => `/bin/${name}` }))
  }
  const start = 'while [ "$1" != -- ]; do shift; done; shift;'

  test.each([
    ['bwrap: No permissions to create new namespace, likely', 'user namespaces are not allowed here', 'seccomp'],
    ['bwrap: setting up uid map: Operation not permitted', 'runs in a sandbox already', 'outside of it'],
    ['bwrap: Creating new namespace failed: limit exceeded (ENOSPC)', 'used up', 'max_user_namespaces'],
    ['bwrap: something else', 'does not work here (bwrap: something else)', 'by hand'],
  ])('since it says “%s” is no isolation', async (said, reason, hint) => {
    expect(await fake(`echo "${said}" >&2; exit 1`).isolation()).toEqual({
      kind: 'none',
      reason: expect.stringContaining(reason),
      hint: expect.stringContaining(hint),
    })
  })

  test('since it only pretends is no isolation', async () => {
    const isolation = await fake(`${start} exec "$@"`).isolation()
    expect(isolation).toMatchObject({ kind: 'none', reason: expect.stringContaining('does not stop') })
    expect((isolation as { reason: string }).reason).toContain('a write outside')
    expect((isolation as { reason: string }).reason).toContain('reading a file outside')
    expect((isolation as { reason: string }).reason).toContain('the network')
  })

  test('since it runs nothing and succeeds is no isolation', async () => {
    expect(await fake('exit 0').isolation()).toMatchObject({ kind: 'none' })
  })
})
