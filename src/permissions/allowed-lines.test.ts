import { describe, expect, test } from 'vitest'
import { parseGrant } from './parse-grant.ts'
import { evalDefaults } from './policy-authorizer.ts'
import { coverage, covers, everywhere, skillWith, verdictOf } from './shell-lines.test-support.ts'

/** Lines for `bash`, by the rules that they are compared with; covered ones first. */
const lines: Readonly<Record<string, { readonly covered: readonly string[]; readonly not: readonly string[] }>> = {
  'Bash(git:*)': {
    covered: [
      // One command, written in every way that bash reads as one.
      ...['git', 'git status', 'git log -p', 'git log --oneline -n 5', 'git switch -c x', 'git commit -m x', 'git --'],
      ...['git commit -m "it\'s; rm -rf /"', "git log '$(id)'", 'git log "\\$(id)"', "git log $'\\x3b id'"],
      ...["g''it status", 'gi\\t status', '"git" status', "$'git' log", 'git \\\nstatus', 'gi\\\nt status'],
      ...['git -C sub status', 'git -C sub log -p', 'git add ./* src/*.ts', 'git log -- --output=x', 'git status;'],
      ...['git commit -m "feat!: x"', 'git log --author=a@b', 'git commit -m "Hello, world!"', 'git stash list'],
      // Several, each of them git.
      ...['git add . && git commit -m x', 'git fetch; git log', 'git log | git shortlog', 'git log || git status'],
      ...['git add .\ngit status', '(git status)', '{ git status; }', '! git diff --quiet', 'time git status'],
      ...['if git diff --quiet; then git log; fi', 'while git status; do git log; done', 'git diff <(git log)'],
      ...['case x in a) git log;; esac', 'until git fetch; do git status; done'],
      // What leaves no trace, and what is only text.
      ...['git log 2>/dev/null', 'git log >/dev/null 2>&1', 'git log >&2', 'git log 2>&1 | git hash-object --stdin'],
      ...['git commit -F - <<EOF\nhello\nEOF', "git commit -F - <<'EOF'\n$(id) `id`\nEOF", 'git commit -F - <<< x'],
      ...['git commit -F - <<EOF\n\\$(id)\nEOF', 'git status # a plain remark', '# first\ngit status', 'git log x#y'],
      // Wrappers without options.
      ...['timeout 5 git status', 'command git status', 'nohup git fetch', 'nice git gc', 'timeout 1.5m nice git gc'],
    ],
    not: [
      // A foreign command, before or behind.
      ...[
        'git status; id',
        'git status && id',
        'git status || id',
        'git status | id',
        'git status |& id',
        'id; git log',
      ],
      ...[
        'git status & id',
        'git status &',
        'git status\nid',
        'git status # x\nid',
        'id && git log',
        'cd x && git status',
      ],
      ...['(git status; id)', 'if git status; then id; fi', 'while id; do git log; done', 'case x in a) id;; esac'],
      ...[
        '{ git status; id; }',
        'if id; then git log; fi',
        'for f in a; do id; done',
        'git log; ! id',
        'git log; time id',
      ],
      // Inside.
      ...[
        'git log "$(id)"',
        'git log `id`',
        'git log "`id`"',
        'git diff <(id)',
        'git diff >(id)',
        'git log "\\\\$(id)"',
      ],
      ...[
        'git log ${x:-$(id)}',
        'git log ${x:-`id`}',
        'git log "${x/$(id)/y}"',
        'git log ${ id; }',
        'git log ${| id; }',
      ],
      ...['git log $"x`id`"', 'git log $((id))', 'git log $((a[$(id)]))', 'git log $[a]', 'git log ${x:a[0]}'],
      ...[
        'git log ${!x}',
        'git log ${x@P}',
        'git log "${x@P}"',
        'git log ${x[0]}',
        'git log ${x:=$(id)}',
        'git log ${x:=y}',
      ],
      ...['git commit -F - <<EOF\n$(id)\nEOF', 'git commit -F - <<EOF\n`id`\nEOF', 'git commit -F - <<EOF\nx\nEOF\nid'],
      ...['git commit -F - <<EOF; id\nx\nEOF', 'git commit -F - <<-EOF\nx\n\tEOF\nid', 'git commit -F - <<EOF\nx'],
      ...['git commit -F - <<EOF\nEO\\\nF\nid\nEOF', 'git commit -F - <<< "$(id)"', 'case $(id) in a) git log;; esac'],
      ...['for f in $(id); do git log; done', 'git log a{b,$(id)}', "git log $'a'$(id)", 'git log "a"$(id)"b"'],
      // Words that only running the line would tell; one may be an option.
      ...[
        'git $X',
        '$X status',
        'git status $X',
        'git status "$X"',
        'git log -- $X',
        'git add *',
        'git log --{exec,x}=id',
      ],
      ...[
        '$(echo git) status',
        '{git,status}',
        'g?t status',
        'g[i]t status',
        'git log @(x)',
        'git log !(x)',
        '$"git" log',
      ],
      // Files, variables, functions.
      ...['git log > out', 'git log >> out', 'git log >| out', 'git log &> out', 'git log >& out', 'git log < in'],
      ...['git log <> x', 'git log > /dev/tcp/x/1', 'git log {fd}>/dev/null', 'git log >&$x', 'git log 2>&1-', '> x'],
      ...[
        'GIT_SSH_COMMAND=id git fetch',
        'A=1 git fetch',
        'A=1',
        'PATH=. git log',
        'a[$(id)]=1 git log',
        'A=(1); git log',
      ],
      ...[
        'A=$(id) git log',
        'A+=x git log',
        'git() { id; }; git log',
        'function git { git log; }',
        'alias git=id; git log',
      ],
      ...['export PATH=.; git log', 'for PATH in a; do git log; done', 'for path in /tmp/x; do git log; done'],
      ...['select x in a; do git log; done', '[[ -f x ]] && git log', '[ -f x ] && git log', '((x=1)); git log'],
      ...['for ((i=0;i<a[$(id)];i++)); do git log; done', '[[ a[$(id)] -eq 1 ]] && git log', 'coproc git log'],
      // Programs that run another.
      ...['eval git status', 'eval "git status"', 'sh -c "git status"', 'bash -lc "git status"', 'xargs git log'],
      ...['env git status', 'env A=1 git log', 'sudo git status', 'exec git log', 'builtin git', '. git', 'source git'],
      ...[
        'find . -exec git log {} \\;',
        'git ls-files | xargs git log',
        'timeout 5 id',
        'command id git',
        'nice id git',
      ],
      ...[
        'timeout -s KILL 5 git log',
        'timeout $X git log',
        'command -p git log',
        'nice -n 5 git log',
        'timeout 5 id git',
      ],
      // Other names.
      ...[
        'gitx status',
        'git-x status',
        '/usr/bin/git status',
        './git status',
        '~/git status',
        'GIT status',
        'git.exe log',
      ],
      ...[
        '"git status"',
        'git\\ status',
        'ɡit status',
        'gіt status',
        'g\u200bit status',
        'git\u00a0status',
        '\ufeffgit log',
      ],
      // Git's own ways to run a program.
      ...["git -c alias.x='!sh' x", "git -calias.x='!sh' x", 'git --exec-path=/x y', 'git --config-env=alias.x=E x'],
      ...[
        'git clone --upload-pack=id . x',
        'git fetch --upload-p=id .',
        'git clone -u id . x',
        'git push --exec=id . x',
      ],
      ...[
        'git clone -qc core.sshCommand=id x:y',
        'git push --receive-pack=id . x',
        'git diff --ext-diff',
        'git -p log',
      ],
      ...[
        'git grep -Oid x',
        'git grep -nOid x',
        'git grep --open=id x',
        'git rebase -x id HEAD~1',
        'git rebase -ix id y',
      ],
      ...['git bisect run id', 'git submodule foreach id', 'git filter-branch --tree-filter id', 'git difftool -x id'],
      ...[
        "git config alias.x '!id'",
        'git remote add x ext::id',
        "git clone 'ext::sh -c id' x",
        'git merge-index id -a',
      ],
      ...[
        'git submodule--helper foreach id',
        'git bisect--helper x',
        'git remote-ext x id',
        'git init --template=/x y',
        'git p4 sync',
      ],
      ...[
        'git -C x -c a=b log',
        'git -C x rebase --exec id',
        'git --git-dir=/x status',
        'git --work-tree=/ checkout .',
      ],
      ...['git -C x archive -o y HEAD', 'git -C x bisect run id', 'git -C $X log'],
      // A file that git writes is as good as a redirection.
      ...[
        'git log --output=x',
        'git diff --outp=x',
        'git archive -o x HEAD',
        'git archive -ox HEAD',
        'git format-patch -o x y',
      ],
      // Nothing to see, or nothing to read.
      ...['', ' ', '\n', '# git', '>/dev/null', '&&', 'git log &&', 'git log | | git', 'git log )', 'git log (x)'],
      ...[
        "git log 'x",
        'git log "x',
        'git log $(git',
        'git log `git',
        'git status;;',
        'if git log',
        'git log $(( 1',
        'git log ${x',
      ],
      // Characters that shells disagree about.
      ...[
        'git status\rid',
        'git status\r\ngit log',
        'git log\0',
        'git log \u001b[2J',
        'git log \u0085',
        'git log \u007f',
      ],
      // At a terminal zsh reads no comments, and both replace `!`.
      ...[
        'git status # ; id',
        'git log # `id`',
        'git log `git log \\`git log # ;\n\\``',
        "# don't\ngit log 'x; id #'",
        'git log # --output=x',
        'git log #\u2028; id',
      ],
      ...[
        'git log $(git status # )\n)',
        'git log !!',
        'git log "!!:s/log/; id/"',
        'git log !id',
        'git log !$ x',
        '^log^;id',
      ],
    ],
  },
  'Bash(git log:*)': {
    covered: ['git log', 'git log -p', 'git log x | git log'],
    not: ['git', 'git logx', 'git -C x log', 'git status', 'git log-x', 'git log --output=x', 'git $X', 'gitlog'],
  },
  'Bash(git submodule:*)': {
    covered: ['git submodule update --init'],
    not: ['git submodule foreach id', 'git submodule add ext::id'],
  },
  'Bash(git status)': { covered: ['git status', 'git  status'], not: ['git', 'git status -s', 'git status x'] },
  'Bash(git clone:*)': {
    covered: ['git clone https://example.com/x'],
    not: ['git clone ext::id x', 'git clone -uid x y'],
  },
  'Bash(npm run test:*)': {
    covered: ['npm run test', 'npm run test -- --watch', 'npm run test --silent'],
    not: [
      ...['npm run test:unit', 'npm run tests', 'npm test', 'npm run build', 'npm run test && npm publish'],
      ...['npm run test --script-shell=id', 'npm run test --prefix /x', 'npm --prefix /x run test', 'npm run "$X"'],
    ],
  },
  'Bash(npm:*)': {
    covered: ['npm ci', 'npm run build'],
    not: ['npm exec id', 'npm x id', 'npm config set script-shell id'],
  },
  'Bash(jq:*)': {
    covered: ['jq . x.json', "jq '.a | .b' x.json", 'jq -r .x < /dev/null', 'jq -n "{a: 1}"'],
    not: ['jq . x > y', 'jq . x | sh', 'cat x | jq .', 'jq "$(id)"', 'jqx .', 'jq . < x'],
  },
  'Bash(cat:*)': {
    covered: ['cat x', 'cat $X', 'cat "$X" *.md'],
    not: ['cat x | sh', 'cat x > y', 'cat <(id)', 'tac x'],
  },
  'Bash(python3 scripts/x.py:*)': {
    covered: [
      'python3 scripts/x.py',
      'python3 scripts/x.py -c id',
      "python3 scripts/x.py 'a b' *.csv",
      'timeout 5 python3 scripts/x.py',
    ],
    not: [
      ...['python3', 'python3 -c id scripts/x.py', 'python3 -m x', 'python3 scripts/x.pyc', 'python3 ./scripts/y.py'],
      ...['python scripts/x.py', 'python3 -i scripts/x.py', 'python3 $X', 'scripts/x.py', 'python3 scripts/x.py | sh'],
    ],
  },
  'Bash(scripts/x.py *)': {
    covered: ['scripts/x.py', 'scripts/x.py --all', 'scripts/x.py "$X"'],
    not: [
      './scripts/x.py',
      '/scripts/x.py',
      'x.py',
      'scripts/x.pyx',
      'scripts/../scripts/x.py',
      'python3 scripts/x.py',
    ],
  },
  'Bash(python3 -m pytest:*)': {
    covered: ['python3 -m pytest -x'],
    not: ['python3 -m pip install x', 'python3 pytest'],
  },
  'Bash(python3:*)': { covered: [], not: ['python3', 'python3 x.py', 'python3 -c id', 'python3 - <<E\nid\nE'] },
  'Bash(python3)': { covered: [], not: ['python3', 'python3 <<E\nid\nE', 'echo x | python3'] },
  'Bash(python3 --version)': { covered: ['python3 --version'], not: ['python3 --version x', 'python3'] },
  'Bash(sh)': { covered: [], not: ['sh', 'sh <<E\nid\nE', 'sh <<< id'] },
  'Bash(bash -s)': { covered: [], not: ['bash -s', 'bash -s <<< id'] },
  'Bash(bash:*)': { covered: [], not: ['bash', 'bash -c id', 'bash x.sh'] },
  'Bash(bash -c:*)': { covered: [], not: ['bash -c id'] },
  'Bash(perl -m strict:*)': { covered: [], not: ['perl -m strict -e x'] },
  'Bash(deno eval:*)': { covered: [], not: ['deno eval x'] },
  'Bash(deno run:*)': { covered: [], not: ['deno run x.ts'] },
  'Bash(deno run x.ts:*)': { covered: ['deno run x.ts -a'], not: ['deno run y.ts', 'deno run -A x.ts'] },
  'Bash(node /dev/stdin:*)': { covered: [], not: ['node /dev/stdin x', 'node /dev/stdin x <<< 1'] },
  'Bash(sed:*)': { covered: [], not: ['sed 1e x', 'sed -n 1p x', "sed -i 's/a/b/e' x"] },
  'Bash(sed -n 1p x)': { covered: ['sed -n 1p x'], not: ['sed -n 1p y', 'sed -n 1p x > y'] },
  'Bash(awk:*)': { covered: [], not: ["awk '{print}' x", 'awk \'BEGIN{system("id")}\''] },
  'Bash(env:*)': { covered: [], not: ['env id', 'env A=1 id', 'env'] },
  'Bash(xargs:*)': { covered: [], not: ['xargs id'] },
  'Bash(sudo:*)': { covered: [], not: ['sudo id'] },
  'Bash(eval:*)': { covered: [], not: ['eval id'] },
  'Bash(timeout:*)': { covered: [], not: ['timeout 5 id'] },
  'Bash(jobs:*)': { covered: [], not: ['jobs -x id'] },
  'Bash(unset:*)': { covered: [], not: ["unset 'a[$(id)]'"] },
  'Bash(export:*)': { covered: [], not: ['export PATH=x', 'export "$X"'] },
  'Bash(vim:*)': { covered: [], not: ["vim -c ':!id'", 'vim x'] },
  'Bash(man:*)': { covered: [], not: ['man -P id x'] },
  'Bash(find:*)': {
    covered: ['find . -name x', "find . -type f -name '*.md'"],
    not: [
      'find . -exec id \\;',
      'find . -execdir id +',
      'find . -ok id \\;',
      'find . -delete',
      'find . -fprint x',
      'find $X',
    ],
  },
  'Bash(tar:*)': {
    covered: ['tar -czf x.tgz y'],
    not: ['tar --to-command=id -xf x', 'tar -I id -xf x', 'tar xf x --use-c=id'],
  },
  'Bash(rg:*)': { covered: ['rg -n x'], not: ['rg --pre id x', 'rg --pre=id x'] },
  'Bash(pandoc:*)': {
    covered: ['pandoc a.md -o b.docx'],
    not: ['pandoc --filter=id x', 'pandoc -L x.lua y', 'pandoc -t x.lua y'],
  },
  'Bash(split:*)': { covered: ['split -l 5 x'], not: ['split --filter=id x', 'split --fil=id x'] },
  'Bash(zip:*)': { covered: ['zip -r x.zip y'], not: ['zip -T -TT id x y', 'zip -rTTid x y'] },
  'Bash(sort:*)': { covered: ['sort -n x'], not: ['sort -o y x', 'sort --compress-program=id x', 'sort -no y x'] },
  'Bash(go test:*)': { covered: ['go test ./...'], not: ['go test -exec id ./...', 'go test -toolexec=id ./...'] },
  'Bash(scp:*)': { covered: ['scp x y:z'], not: ['scp -S id x y', 'scp -oProxyCommand=id x y'] },
  'Bash(wget:*)': { covered: ['wget x'], not: ['wget --use-askpass=id x', 'wget -e x=y z'] },
  'Bash(tee:*)': { covered: ['tee x', 'tee -a x <<< y'], not: ['tee >(id)', 'git log | tee x'] },
  'Bash(echo:*)': {
    covered: ['echo x', 'echo "$X"', 'echo {a,b}'],
    not: ['echo x > y', 'echo "$(id)"', 'echo x | sh'],
  },
}

const rows = Object.entries(lines).flatMap(([rule, { covered, not }]) => [
  ...covered.map((line) => [rule, 'covers', line] as const),
  ...not.map((line) => [rule, 'does not cover', line] as const),
])

describe('a rule that allows', () => {
  test('is tried on enough lines', () => {
    expect(lines['Bash(git:*)']?.covered.length).toBeGreaterThan(50)
    expect(lines['Bash(git:*)']?.not.length).toBeGreaterThan(180)
    expect(rows.length).toBeGreaterThan(380)
  })

  test.each(rows)('%s %s %j', async (rule, verdict, line) => {
    expect(await coverage([rule], line)).toEqual(everywhere(verdict === 'covers'))
  })

  test.each([
    ['Bash(:*)', 'id'],
    ['Bash(**)', 'git'],
    ['Bash(g*)', 'git'],
    ['Bash(git log*)', 'git log'],
    ['Bash(git; id)', 'git; id'],
    ['Bash()', 'id'],
    ['Bash( )', 'git'],
    ['Bash(git:*', 'git'],
    ['Bash(git:*))', 'git'],
    ['Bash("git":*)', 'git'],
    ['Bash[git:*]', 'git'],
  ])('%s means nothing, and covers nothing: %j', async (rule, command) => {
    const skill = skillWith([rule])
    const verdicts = [
      await covers(rule, command),
      (await verdictOf({ defaults: evalDefaults }, { input: { command }, skill })) === 'allow',
      (await verdictOf({ defaults: evalDefaults, runtime: { allow: [rule] } }, { input: { command } })) === 'allow',
    ]
    expect(verdicts).toEqual([false, false, false])
  })

  test.each([
    ['git add . && npm run test', ['Bash(git:*)', 'Bash(npm run test:*)'], true],
    ['git log | jq .', ['Bash(git log:*)', 'Bash(jq:*)'], true],
    ['git log | jq . | id', ['Bash(git log:*)', 'Bash(jq:*)'], false],
    ['git log "$(jq . x)"', ['Bash(git log:*)', 'Bash(jq:*)'], false],
    ['cat "$(git log)"', ['Bash(git log:*)', 'Bash(cat:*)'], true],
    ['cd x && git status', ['Bash(git:*)', 'Bash(cd:*)'], true],
    ['id; rm -rf x', ['Bash'], true],
    ['id; rm -rf x', ['Read', 'Bash(git:*)'], false],
  ] as const)('each command of %j may be covered by a rule of its own: %j → %j', async (line, rules, isCovered) => {
    expect(await coverage(rules, line)).toEqual(everywhere(isCovered))
  })

  test('is added to what is granted', async () => {
    const layers = { configured: { allow: ['Bash(git:*)'] }, granted: [parseGrant('Bash:jq:*')] }
    expect(await verdictOf(layers, { input: { command: 'git log | jq .' } })).toBe('allow')
    expect(await verdictOf(layers, { input: { command: 'git log | jq . | id' } })).toBe('ask')
  })

  test('that names the tool lets any line pass, and one for another tool none', async () => {
    const call = { input: { command: 'id; rm -rf x > y' } }
    expect(await verdictOf({ configured: { allow: ['call_tool(bash)'] } }, call)).toBe('allow')
    expect(await verdictOf({ configured: { allow: ['call_tool'] } }, call)).toBe('ask')
    expect(await verdictOf({ configured: { allow: ['run_script'] } }, call)).toBe('deny')
    expect(await verdictOf({ configured: { allow: ['call_tool(bash2)'] } }, call)).toBe('ask')
  })
})

describe('what a provided shell is given', () => {
  const covered = (input: unknown, tool = 'bash') =>
    verdictOf({ configured: { allow: ['Bash(git:*)'] } }, { input, tool }).then((verdict) => verdict === 'allow')

  test.each([
    { command: 'git log' },
    { cmd: 'git log', timeout: 5, description: 'x' },
    { command: ['git', 'log', '-p'] },
    { command: ['git', 'commit', '-m', 'two words'] },
    'git log',
  ])('is a line: %j', async (input) => {
    expect(await covered(input)).toBe(true)
  })

  test.each([
    {},
    null,
    undefined,
    7,
    ['git', 'log'],
    { command: 'git log', cmd: 'git log' },
    { command: 'git log', env: { GIT_PAGER: 'id' } },
    { command: 'git log', cwd: '/x' },
    { command: 'git log', args: ['; id'] },
    { Command: 'git log' },
    { command: { line: 'git log' } },
    { command: [] },
    { command: ['git', 7] },
    { command: ['git', 'log', '; id'] },
    { command: ['git log'] },
    { command: ['sh', '-c', 'git log'] },
    { command: ['git', '-c', 'alias.x=!id', 'x'] },
    '{"command": "git log"}',
    '["git"]',
    '"git"',
  ])('can not be read, so it is not covered: %j', async (input) => {
    expect(await covered(input)).toBe(false)
  })

  test.each(['Bash', 'mcp__box__run_command', 'box.shell', 'run_in_terminal', 'ksh', 'local_shell'])(
    'goes to %s as well',
    async (tool) => {
      expect(await covered({ command: 'git log "a b"' }, tool)).toBe(true)
      expect(await covered({ command: 'git log; id' }, tool)).toBe(false)
    },
  )

  test.each(['cmd', 'powershell', 'pwsh', 'fish', 'mcp__win__powershell'])(
    'is read for %s only where every shell reads it alike',
    async (tool) => {
      expect(await covered({ command: 'git log --oneline -n 5' }, tool)).toBe(true)
      const lines = [
        ...[
          "git log 'x & id'",
          'git log "\\"; id; "',
          'git log x^&id',
          'git log %X%',
          'git log (id)',
          'git log “x”; id',
        ],
        ...["git log 'a\\' 'x; id; #'", 'git log\nid', 'git log ;id', 'git log @x', 'git log a,b', 'git log; git log'],
      ]
      for (const command of lines) expect(await covered({ command }, tool), command).toBe(false)
    },
  )
})
