import { describe, expect, test } from 'vitest'
import { evalDefaults } from './policy-authorizer.ts'
import { stops, verdictOf } from './shell-lines.test-support.ts'

/** Lines for `bash`, by the rule that forbids them or asks. */
const lines: Readonly<Record<string, { readonly stopped: readonly string[]; readonly passed: readonly string[] }>> = {
  'Bash(rm:*)': {
    stopped: [
      // However it is written.
      ...[
        'rm',
        'rm x',
        '\\rm x',
        "r''m x",
        'r"m" x',
        "$'\\x72m' x",
        'r\\\nm x',
        '/bin/rm x',
        './rm',
        '../x/rm',
        'RM x',
        'rm.exe x',
      ],
      ...[
        'r? x',
        '/bin/r[m] x',
        '{rm,x}',
        '$X x',
        '"$X" x',
        '$(echo rm) x',
        '`echo rm` x',
        '~/rm x',
        'a=rm; $a x',
        '${X} y',
      ],
      // Before, behind, around.
      ...[
        'ls; rm x',
        'ls && rm x',
        'ls || rm x',
        'ls | rm x',
        'ls & rm x',
        'ls\nrm x',
        '(rm x)',
        '{ rm x; }',
        '! rm x',
        'time -p rm x',
      ],
      ...[
        'if rm x; then ls; fi',
        'for f in *; do rm "$f"; done',
        'while rm x; do ls; done',
        'case x in x) rm y;; esac',
      ],
      ...[
        'f() { rm x; }; f',
        'function f { rm x; }',
        'coproc rm x',
        'select x in a; do rm x; done',
        'A=1 rm x',
        'rm > x',
        '>x rm',
      ],
      // Inside.
      ...[
        'echo $(rm x)',
        'echo "`rm x`"',
        'cat <(rm x)',
        'tee >(rm x)',
        'echo ${x:-$(rm y)}',
        'echo ${x:$(rm y)}',
        'echo $((a[$(rm x)]))',
      ],
      ...[
        'x=$(rm y)',
        'x=($(rm y))',
        'x[$(rm y)]=1',
        'x=([$(rm y)]=1)',
        '[[ $(rm x) ]]',
        '>x$(rm y)',
        'cat <<E\n$(rm y)\nE',
        'echo ${ rm x; }',
      ],
      // Programs that run another.
      ...[
        'env rm x',
        'env -i A=1 rm x',
        "env -S 'rm x'",
        "env -S'rm x'",
        'xargs rm',
        'xargs -n1 rm',
        'echo rm x | xargs env',
        'sudo rm x',
      ],
      ...[
        'sudo -u root -- rm x',
        'nohup rm x',
        'timeout -s KILL 5 rm x',
        'nice -n 5 rm x',
        'command -p rm x',
        'exec -a x rm y',
        'builtin rm',
      ],
      ...[
        'find . -exec rm {} +',
        "find . -execdir sh -c 'rm x' \\;",
        'find . -ok rm {} \\;',
        'fd x -x rm',
        'strace -o x rm y',
        'watch rm x',
      ],
      ...[
        'flock x -c "rm y"',
        "script -c 'rm x'",
        "su - u -c 'rm x'",
        'ssh host rm x',
        "trap 'rm x' EXIT",
        "mapfile -C 'rm x' a",
        'alias x=rm',
      ],
      ...[
        'busybox rm x',
        '/lib64/ld-linux-x86-64.so.2 /bin/rm x',
        'noglob rm x',
        'repeat 3 rm x',
        'jobs -x rm x',
        'pkexec rm x',
        'fakeroot rm x',
      ],
      ...[
        'npx rm x',
        'docker run x rm y',
        "make --eval='x:;rm y'",
        'make SHELL=rm',
        "vim -c ':!rm x' y",
        'rg --pre rm x',
        "zip -TT 'rm x' y",
      ],
      ...[
        "split --filter='rm x' y",
        "tar cf x --to-command='rm x' y",
        "git -c alias.x='!rm y' x",
        'git submodule foreach rm x',
        'git bisect run rm',
      ],
      ...[
        "git grep -O'rm' x",
        'git rebase -x "rm x" y',
        "echo 'rm x' | at now",
        'echo rm x | parallel',
        'complete -C "rm x" y',
        'cmd /c rm x',
      ],
      // Code.
      ...[
        'eval rm x',
        "eval 'rm x'",
        'eval "$X"',
        'sh -c "rm x"',
        "bash -lc 'rm x'",
        "bash -c -- 'rm x'",
        "bash --norc -xc 'rm x'",
        'bash -c "$X"',
      ],
      ...[
        'sh -c \'sh -c "rm x"\'',
        "bash <<< 'rm x'",
        'echo rm x | sh',
        "sh <<'E'\nrm x\nE",
        'sh -s',
        'bash',
        "python3 -c 'rm'",
        'python3 -',
        'python3',
      ],
      ...[
        'awk \'BEGIN{system("rm x")}\'',
        "perl -e 'x'",
        'node /dev/stdin',
        "sed '1e rm x' y",
        '. /dev/stdin',
        'ruby < x',
        'deno eval x',
        'bun x rm',
        'gawk \'{print | "rm"}\' x',
      ],
      // Variables that programs take commands from, and names that are evaluated.
      ...[
        "GIT_SSH_COMMAND='rm x' git fetch",
        'GIT_PAGER=rm git log',
        "trap 'GIT_PAGER=rm git log' EXIT",
        'env A=1 GIT_PAGER=rm git log',
        'export PAGER="rm x"',
        'EDITOR=$X git commit',
      ],
      ...[
        "y='a[$(rm x)]'; echo $((y))",
        "unset 'a[$(rm x)]'",
        "[[ -v 'a[$(rm x)]' ]]",
        "(( a['$(rm x)'] ))",
        "test -v 'a[`rm x`]'",
        "read 'a[$(rm x)]'",
      ],
      // What can't be read, or is read in another way elsewhere.
      ...[
        'echo "x',
        'echo $(',
        'ls )',
        'ls\rx',
        'ls\0x',
        'cat <<E\nx',
        'ls # ; rm x',
        "# don't\nls 'x; rm y #'",
        'echo "!!:s/echo/rm/"',
        'ls !rm',
      ],
    ],
    passed: [
      ...[
        'ls -la',
        'echo rm',
        'git rm x',
        'git status',
        'git log -p',
        'rmdir x',
        'rmx',
        'xrm',
        'cat rm',
        'python3 x.py',
        './x.sh',
        'sh x.sh',
      ],
      ...[
        "cat <<'E'\nrm x\nE",
        'grep -r rm .',
        'ls > x',
        'A=1 ls',
        'for f in a b; do ls "$f"; done',
        '[[ -f x ]] && ls',
        'echo $((1 + 2))',
      ],
      ...[
        'timeout 5 ls',
        'xargs -n1 ls',
        'find . -name rm',
        'npm test',
        'ls # a plain remark',
        'echo "Hello, world!"',
        '[ "$x" != y ]',
        'printf "%s" "$x"',
        "awk -F, '{print $1}' x",
        'source x.sh',
        'find . -exec ls {} +',
        'deno run x.ts',
      ],
      ...[
        '',
        'git commit -m "rm old files"',
        'jq .rm x',
        'test -n "$x"',
        'docker ps',
        'NODE_ENV=test npm ci',
        'export A="b c"',
        'X="$y" ls',
      ],
    ],
  },
  'Bash(git push:*)': {
    stopped: [
      ...[
        'git push',
        'git push origin x',
        'git -C x push',
        'git --no-pager push',
        'git "pu"sh',
        'git $X',
        'git log "$X"',
        'GIT push',
        '/usr/bin/git push',
      ],
      ...[
        'sh -c "git push"',
        'timeout 5 git push',
        'git -c alias.p=push p',
        'cd x && git push',
        'env git push',
        'xargs git',
        'xargs -n1 git',
        'find . -exec git {} +',
        'fd -x git {/}',
        'git {push,x}',
      ],
    ],
    passed: [
      'git',
      'git status',
      'git log -p',
      'git pull',
      'git commit -m x',
      'npm push',
      'gitx push',
      'echo git push',
    ],
  },
  'Bash(git push --force:*)': {
    stopped: [
      'git push --force',
      'git push origin x --force',
      'git push --force=x',
      'git push $X',
      'git -C x push a --force',
    ],
    passed: ['git push', 'git push --force-with-lease', 'git push -f'],
  },
  'Bash(python3 scripts/x.py:*)': {
    stopped: [
      ...[
        'python3 scripts/x.py',
        'python3 ./scripts/x.py',
        'python3 -u scripts/x.py',
        'python scripts/x.py',
        'python3.11 scripts/x.py',
      ],
      ...[
        './scripts/x.py',
        'scripts/x.py -a',
        'cd scripts && python3 x.py',
        'python3 /w/scripts/x.py',
        'python3 "$X"',
        'python3 $X.py',
        'env ./scripts/x.py',
      ],
    ],
    passed: ['python3 scripts/y.py', 'python3 -m x', 'ls scripts/x.py', 'scripts/y.py', 'node scripts/z.js'],
  },
  'Bash(scripts/x.py:*)': {
    stopped: [
      'scripts/x.py',
      './scripts/x.py',
      'python3 scripts/x.py',
      'python3 x.py',
      'timeout 5 scripts/x.py',
      'sh -c scripts/x.py',
      '. scripts/x.py',
    ],
    passed: ['scripts/y.py', 'python3 scripts/y.py', 'ls scripts/x.py'],
  },
  'Bash(python3:*)': {
    stopped: ['python3 x.py', 'python x.py', 'python3.11 -c x', 'env python3', 'x=1 python3'],
    passed: ['node x.js', 'ls'],
  },
  'Bash(npm run deploy:*)': {
    stopped: ['npm run deploy', 'npm --silent run deploy', 'npm run "$X"', 'cd x; npm run deploy'],
    passed: ['npm run build', 'npm test'],
  },
  // What can't be read as a rule means any line.
  'Bash(git; id)': { stopped: ['ls', 'git', ''], passed: [] },
  'Bash(g*)': { stopped: ['ls', 'git'], passed: [] },
  'Bash()': { stopped: ['ls'], passed: [] },
  'Bash(rm': { stopped: ['ls'], passed: [] },
  Bash: { stopped: ['ls', ''], passed: [] },
}

const rows = Object.entries(lines).flatMap(([rule, { stopped, passed }]) => [
  ...stopped.map((line) => [rule, 'stops', line] as const),
  ...passed.map((line) => [rule, 'lets pass', line] as const),
])

describe('a rule that forbids', () => {
  test.each(rows)('%s %s %j', async (rule, verb, command) => {
    const call = { input: { command } }
    const layers = { defaults: evalDefaults }
    const verdicts = [
      await verdictOf({ ...layers, configured: { deny: [rule] } }, call),
      await verdictOf({ ...layers, configured: { deny: [rule], allow: ['call_tool(bash)', 'Bash'] } }, call),
      await verdictOf({ ...layers, runtime: { deny: [rule] } }, call),
      await verdictOf({ ...layers, configured: { ask: [rule] } }, call),
      await verdictOf({ ...layers, runtime: { ask: [rule] } }, call),
    ]
    const isStopped = verb === 'stops'
    expect(verdicts).toEqual(isStopped ? ['deny', 'deny', 'deny', 'ask', 'ask'] : Array(5).fill('allow'))
  })

  test.each([
    { command: ['rm', 'x'] },
    { command: ['echo', '; rm x'] },
    { command: ['sh', '-c', 'rm x'] },
    { command: 'ls', cmd: 'rm x' },
    { command: 'ls', script: 'rm x' },
    { cmd: 'rm x' },
    { line: 'ls' },
    'rm x',
    '{"command": "rm x"}',
    null,
  ])('stops a call that is no plain line: %j', async (input) => {
    const verdict = await verdictOf({ defaults: evalDefaults, configured: { deny: ['Bash(rm:*)'] } }, { input })
    expect(verdict).toBe('deny')
  })

  test.each(['cmd', 'powershell', 'pwsh', 'fish'])('stops for %s what is not plain', async (tool) => {
    for (const line of ['rm x', 'ls; x', 'ls "\\"; rm x; "', 'r^m x', 'r`m x', 'rm,x', 'rd/s x', '& x', 'ls (rm x)'])
      expect(await stops('Bash(rm:*)', line, tool), line).toBe(true)
    expect(await stops('Bash(rm:*)', 'ls -la x', tool)).toBe(false)
  })

  test('does not concern other provided tools', async () => {
    const layers = { defaults: evalDefaults, configured: { deny: ['Bash(rm:*)'] } }
    expect(await verdictOf(layers, { input: { command: 'rm x' }, tool: 'crm_lookup' })).toBe('allow')
  })
})
