import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { covers, stops } from './shell-lines.test-support.ts'

const covered = fc.constantFrom(
  ...['git status', 'git log -p', 'git commit -m x', 'git add . && git commit -m "a b"', 'git log | git shortlog'],
  ...[
    '(git status)',
    'if git fetch; then git log; fi',
    'timeout 5 git status',
    'git log 2>/dev/null',
    'git log # plain',
  ],
  ...["git commit -F - <<'E'\nhello\nE", 'git log "it\'s"', 'git diff <(git log)', '! git status', 'git \\\nlog'],
)

const foreign = fc.constantFrom(
  ...['id', 'rm -rf /', 'gitx', './git status', '/usr/bin/git log', 'sh -c "git log"', 'eval git log', 'env git log'],
  ...['A=1', 'A=1 git log', '> x', 'git log > x', 'cd x', '[ -f x ]', '((x=1))', 'f() { git log; }', 'sudo git log'],
  ...[
    "git -c alias.x='!id' x",
    'git log "$(id)"',
    'git log `id`',
    'git $X',
    '$X',
    '"id"',
    "'i'd",
    'i\\d',
    'xargs git log',
  ],
  ...[
    'find . -exec git log {} \\;',
    'git bisect run id',
    '(id)',
    '{ id; }',
    'if id; then git log; fi',
    'echo x',
    ': x',
  ],
)

const connector = fc.constantFrom(
  ';',
  ' ; ',
  '&&',
  ' && ',
  '||',
  ' || ',
  '|',
  ' | ',
  ' |& ',
  '&',
  ' & ',
  '\n',
  '\n\n',
  ' \\\n&& ',
)

describe('a covered line', () => {
  test('is covered', async () => {
    await fc.assert(
      fc.asyncProperty(covered, async (line) => {
        expect(await covers('Bash(git:*)', line)).toBe(true)
      }),
    )
  })

  test('joined with another stays covered', async () => {
    // A pipe may not begin a line, and a remark or a here-document takes the rest of its own.
    const joins = fc.constantFrom('\n', '\n\n', '\n(git log)\n')
    const property = fc.asyncProperty(covered, joins, covered, async (one, by, other) => {
      expect(await covers('Bash(git:*)', one + by + other)).toBe(true)
    })
    await fc.assert(property)
  })

  test('survives no foreign command before or behind it', async () => {
    const property = fc.asyncProperty(covered, connector, foreign, async (line, by, other) => {
      // Behind a remark or a here-document, the rest of the line is text: there the foreign one needs a line of its own.
      const own = /#|<</.test(line) ? '\n' : by
      expect(await covers('Bash(git:*)', `${line}${own}${other}`)).toBe(false)
      expect(await covers('Bash(git:*)', `${other}${by}${line}`)).toBe(false)
    })
    await fc.assert(property, { numRuns: 1_500 })
  })

  test('survives no foreign command in its arguments, however deep', async () => {
    const wrapper: fc.Arbitrary<(inner: string) => string> = fc.constantFrom(
      (inner) => `$(${inner}\n)`,
      (inner) => `"$(${inner}\n)"`,
      (inner) => `a"b$(${inner}\n)c"d`,
      (inner) => `<(${inner}\n)`,
      (inner) => `x$(git log; ${inner}\n)`,
      (inner) => `\${x:-$(${inner}\n)}`,
      (inner) => `"\${x#$(${inner}\n)}"`,
      (inner) => `$((1 + $(${inner}\n)))`,
      (inner) => `{a,$(${inner}\n)}`,
      (inner) => `$(git log $(${inner}\n))`,
      (inner) => `"$(git log "$(${inner}\n)")"`,
      (inner) => `<<E\n$(${inner}\n)\nE\n`,
    )
    const property = fc.asyncProperty(
      foreign,
      wrapper,
      fc.constantFrom('log', 'commit -m', 'log --'),
      async (inner, wrap, by) => {
        expect(await covers('Bash(git:*)', `git ${by} ${wrap(inner)}`)).toBe(false)
      },
    )
    await fc.assert(property, { numRuns: 600 })
  })

  test('survives no assignment, redirection or wrapper around it', async () => {
    const around: fc.Arbitrary<(line: string) => string> = fc.constantFrom(
      (line) => `A=1 ${line}`,
      (line) => `{ ${line}\n} > x`,
      (line) => `{ ${line}\n} &`,
      (line) => `f() { ${line}\n}`,
      (line) => `coproc { ${line}\n}`,
      (line) => `for PATH in x; do ${line}\ndone`,
      (line) => `(${line}\n) | sh`,
      (line) => `(${line}\n) >(id)`,
      (line) => `eval ${line}`,
      (line) => `{ ${line}\n`,
      (line) => `${line}\n}`,
      (line) => `${line}\n'`,
    )
    await fc.assert(
      fc.asyncProperty(covered, around, async (line, wrap) => {
        expect(await covers('Bash(git:*)', wrap(line))).toBe(false)
      }),
    )
  })
})

describe('a forbidden command', () => {
  const spelled = fc.constantFrom('rm x', 'rm', 'r\\m x', '/bin/rm x', '"rm" -rf x', "r''m", '\\rm x', './rm x')
  const other = fc.constantFrom(
    'ls',
    'git status',
    'echo "a b"',
    'A=1 ls',
    'ls > x',
    'cat <<E\nx\nE\n',
    '[[ -f x ]]',
    'npm test',
  )
  type Wrap = (line: string) => string
  const wraps = fc.constantFrom<Wrap>(
    (line) => `(${line}\n)`,
    (line) => `{ ${line}\n}`,
    (line) => `f() { ${line}\n}`,
    (line) => `if ls; then ${line}\nfi`,
    (line) => `for x in a b; do ${line}\ndone`,
    (line) => `case x in *) ${line}\n;; esac`,
    (line) => `echo "$(${line}\n)"`,
    (line) => `cat <(${line}\n)`,
    (line) => `x=$(${line}\n)`,
    (line) => `[[ -n $(${line}\n) ]]`,
    (line) => `echo $((a[$(${line}\n)]))`,
    (line) => `cat <<E\n$(${line}\n)\nE`,
    (line) => `coproc { ${line}\n}`,
    (line) => `! { ${line}\n}`,
    (line) => `ls || { ${line}\n} &`,
    (line) => `sh -c '${line.replaceAll("'", "'\\''")}'`,
    (line) => `eval '${line.replaceAll("'", "'\\''")}'`,
    (line) => `sudo -u x bash -lc '${line.replaceAll("'", "'\\''")}'`,
    (line) => `GIT_PAGER='${line.replaceAll("'", "'\\''")}' git log`,
    (line) => `trap '${line.replaceAll("'", "'\\''")}' EXIT`,
  )
  const runners = fc.constantFrom<Wrap>(
    (line) => `sudo -u x ${line}`,
    (line) => `env A=1 ${line}`,
    (line) => `xargs -n1 ${line}`,
    (line) => `timeout -k 1 5 ${line}`,
    (line) => `A=1 nohup ${line}`,
    (line) => `command -p ${line} > y`,
    (line) => `find . -exec ${line} {} +`,
    (line) => `time ${line}`,
    (line) => line,
  )

  test('stays forbidden whatever is put before, behind or around it', async () => {
    const property = fc.asyncProperty(
      spelled,
      runners,
      fc.array(wraps, { maxLength: 3 }),
      fc.option(fc.tuple(other, connector)),
      fc.option(fc.tuple(connector, other)),
      async (command, run, around, before, behind) => {
        const inner = around.reduce((line, wrap) => wrap(line), run(command))
        const [first, by] = before ?? ['', '']
        const start = first.includes('<<') ? `${first}\n` : first + by
        expect(await stops('Bash(rm:*)', `${start}${inner}${behind ? `\n${behind[1]}` : ''}`)).toBe(true)
        if (behind && !inner.includes('<<')) expect(await stops('Bash(rm:*)', inner + behind.join(''))).toBe(true)
      },
    )
    await fc.assert(property, { numRuns: 1_000 })
  })

  test('is the only thing that stops a plain line', async () => {
    const property = fc.asyncProperty(other, other, async (one, two) => {
      expect(await stops('Bash(rm:*)', `${one}\n${two}`)).toBe(false)
    })
    await fc.assert(property)
  })
})

describe('any text at all', () => {
  const pieces = fc.constantFrom(
    ...[
      'git',
      'id',
      'rm',
      ' ',
      '\n',
      '\t',
      ';',
      '&',
      '|',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '[[',
      ']]',
      '((',
      '))',
      '$',
      '$(',
      '${',
    ],
    ...[
      '`',
      '"',
      "'",
      "$'",
      '$"',
      '\\',
      '<',
      '>',
      '<<',
      '<<<',
      '<(',
      '<<E\n',
      '\nE\n',
      '#',
      '!',
      '*',
      '?',
      '~',
      '=',
      '-',
      '--',
    ],
    ...[
      '@',
      '%',
      '^',
      ':',
      ',',
      'if ',
      'then ',
      'fi',
      'for x in ',
      'do ',
      'done',
      'case x in ',
      'esac',
      'f()',
      '\0',
      '\r',
      'é',
      '\ud800',
    ],
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.tuple(pieces, fc.integer({ min: 1, max: 3_000 })).map(([piece, times]) => piece.repeat(times)),
    fc
      .tuple(pieces, pieces, fc.integer({ min: 1, max: 500 }))
      .map(([open, close, times]) => `git ${open.repeat(times)}id${close.repeat(times)}`),
  )

  test('has a verdict, soon', async () => {
    const property = fc.asyncProperty(text, async (line) => {
      const start = performance.now()
      const isCovered = await covers('Bash(git:*)', line)
      await stops('Bash(rm:*)', line)
      expect(performance.now() - start).toBeLessThan(5_000)
      // Without a word that reads as git nothing is git.
      if (!/g/.test(line)) expect(isCovered).toBe(false)
    })
    await fc.assert(property, { numRuns: 1_500 })
  })

  test('is not covered with a foreign command on a line of its own, nor allowed where it is forbidden', async () => {
    const property = fc.asyncProperty(text, foreign, async (line, other) => {
      expect(await covers('Bash(git:*)', `${other}\n${line}`)).toBe(false)
      expect(await stops('Bash(rm:*)', `rm x\n${line}`)).toBe(true)
    })
    await fc.assert(property, { numRuns: 1_000 })
  })

  const long = 65_536
  test.each(
    Object.entries({
      'one word': 'g'.repeat(long),
      'many words': 'git '.repeat(long / 4),
      'many commands': 'git;'.repeat(long / 4),
      'too long': 'git status'.padEnd(long + 1, ' '),
      'nested substitutions': `${'$('.repeat(long / 4)}git${')'.repeat(long / 4)}`,
      'nested quotes': `${'"$('.repeat(10_000)}git${')"'.repeat(10_000)}`,
      'nested groups': `${'('.repeat(30_000)}git${')'.repeat(30_000)}`,
      'nested braces': `${'{ '.repeat(15_000)}git${'; }'.repeat(10_000)}`,
      'nested arithmetic': `git $((${'('.repeat(30_000)}1${')'.repeat(30_000)}))`,
      'nested defaults': `git ${'${x:-'.repeat(8_000)}y${'}'.repeat(8_000)}`,
      'nested loops': 'while '.repeat(10_000),
      'a chain of sums': `echo $((${'1+'.repeat(30_000)}1))`,
      'open substitutions': '$('.repeat(long / 2),
      'open here-documents': '<<E '.repeat(long / 4),
      'open quotes': '"'.repeat(long - 1),
      'a forest of backticks': '`\\`'.repeat(long / 4),
      braces: '{a,'.repeat(20_000),
      'wrapped often': `${'command '.repeat(8_000)}git`,
      'timed often': `${'timeout 5 '.repeat(6_000)}git`,
      'run by many': 'sudo '.repeat(13_000),
      'shells in shells': `sh -c "${'sh -c \\"'.repeat(8_000)}`,
      remarks: '#a '.repeat(20_000),
      'a long remark': `git # ${'a-'.repeat(30_000)}`,
      assignments: 'a=1 '.repeat(15_000),
      'assignments in a text': `A='${'B=1;'.repeat(15_000)}'`,
    }),
  )('is judged in time: %s', async (_what, line) => {
    const start = performance.now()
    const isCovered = await covers('Bash(git:*)', line)
    await stops('Bash(rm:*)', line)
    expect(performance.now() - start).toBeLessThan(10_000)
    if (!/^git[ ;]/.test(line)) expect(isCovered).toBe(false)
  })
})
