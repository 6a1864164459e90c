import { describe, expect, test } from 'vitest'
import { readShellLine } from './shell.ts'

const commandsOf = (line: string) =>
  readShellLine(line).commands.map((words) => words.map(({ value }) => value ?? null))

const besidesOf = (line: string) => readShellLine(line).besides

describe('readShellLine', () => {
  test('reads one command', () => {
    expect(readShellLine('git commit -m "a b"')).toEqual({
      commands: [
        [
          { value: 'git', isOperand: true },
          { value: 'commit', isOperand: true },
          { value: '-m', isOperand: false },
          { value: 'a b', isOperand: true },
        ],
      ],
      assigned: [],
      besides: [],
      fault: undefined,
    })
  })

  test.each([
    ["g''it", 'git'],
    ['gi\\t', 'git'],
    ['"a"\'b\'c', 'abc'],
    ["$'\\x67\\t'", 'g\t'],
    ["''", ''],
    ['"a\\$b\\\\"', 'a$b\\'],
    ["'$(id) `id` $x'", '$(id) `id` $x'],
    ['a#b', 'a#b'],
    ['a=b', 'a=b'],
    ['é', 'é'],
    ['\\$x', '$x'],
    ['a\\\nb', 'ab'],
  ])('knows what the program is given for %s', (word, value) => {
    expect(readShellLine(`x ${word}`).commands[0]?.[1]?.value).toBe(value)
  })

  test.each([
    '$x',
    '"$x"',
    '${x}',
    '$(git)',
    '`git`',
    '$((1))',
    '*',
    'a?',
    '[ab]',
    '{a,b}',
    '<(git)',
    '$"a"',
    'x$y',
    '@(a)',
  ])('does not know what the program is given for %s', (word) => {
    expect(readShellLine(`x ${word}`).commands[0]?.[1]).toMatchObject({ value: undefined })
  })

  test.each([
    ['a', true],
    ['-a', false],
    ["'-a'", false],
    ['""', true],
    ['$x', false],
    ['"$x"', false],
    ['a"$x"', true],
    ['"a$x"', true],
    ['a$x', false],
    ['-"$x"', false],
    ['*', false],
    ['./*', true],
    ['-*', false],
    ['a{b,c}', false],
    ['<(git)', true],
    ['$(git)', false],
  ])('tells whether %s is one word and no option: %s', (word, isOperand) => {
    expect(readShellLine(`x ${word}`).commands[0]?.[1]?.isOperand).toBe(isOperand)
  })

  test.each([
    ['a; b && c || d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a\nb\n\nc', ['a', 'b', 'c']],
    ['a $(b $(c)) `d` <(e) >(f)', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a "$(b)" "`c`" ${x:-$(d)} "${x#$(e)}"', ['a', 'b', 'c', 'd', 'e']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['for x in $(a); do b; done; case $(c) in $(d)) e;; esac', ['a', 'b', 'c', 'd', 'e']],
    ['(a; { b; }); ! c; time d; coproc e', ['a', 'b', 'c', 'd', 'e']],
    ['f() { a; }; function g { b; }', ['a', 'b']],
    ['a <<E\n$(b)\nE\nc', ['a', 'b', 'c']],
    ["a <<'E'\n$(b)\nE\nc", ['a', 'c']],
    ['a <<< "$(b)" > $(c)', ['a', 'b', 'c']],
    ['x=$(a) y=($(b)) z[$(c)]=1 d', ['a', 'b', 'c', 'd']],
    ['> a', []],
    ['x=1', []],
    ['# a', []],
    ['', []],
  ])('finds every command of %j', (line, names) => {
    const { commands, fault } = readShellLine(line)
    expect(fault).toBeUndefined()
    expect(commands.map(([name]) => name?.value).sort()).toEqual(names)
  })

  test('takes conditions and arithmetic for commands of their names', () => {
    expect(commandsOf("[[ -v 'a[$(id)]' && x -eq y ]]")).toEqual([
      ['[[', 'a[$(id)]'],
      ['[[', 'x', 'y'],
    ])
    expect(commandsOf('(( i ))')).toEqual([['let', 'i']])
  })

  test('tells what is put into variables', () => {
    expect(readShellLine('A=1 B="$x" c; D=(e $f); export G=h').assigned).toEqual([
      { name: 'A', value: '1' },
      { name: 'B', value: undefined },
      { name: 'D', value: 'e' },
      { name: 'D', value: undefined },
      { name: 'G', value: 'h' },
    ])
  })

  test.each([
    ['a > b', ['redirection to a file']],
    ['a >> b', ['redirection to a file']],
    ['a < b', ['redirection to a file']],
    ['a > "$x"', ['redirection to a file']],
    ['a > /dev/nullx', ['redirection to a file']],
    ['a > /dev/../dev/null', ['redirection to a file']],
    ['a {x}> /dev/null', ['redirection to a file']],
    ['a > /dev/null 2>&1 >&- <&0 </dev/null', []],
    ['a <<E\nx\nE', []],
    ['a <<< b', []],
    ['a &', ['background']],
    ['coproc a', ['background']],
    ['A=1 a', ['assignment']],
    ['export A=1', ['assignment']],
    ['for PATH in a; do b; done', ['assignment']],
    ['for path in a; do b; done', ['assignment']],
    ['for f in a; do b; done', []],
    ['f() { a; }', ['function']],
    ['[[ -f a ]]', ['arithmetic or test']],
    ['((1))', ['arithmetic or test']],
    ['a $((1))', ['arithmetic or test']],
    ['a ${x[1]}', ['expansion that evaluates']],
    ['a ${!x}', ['expansion that evaluates']],
    ['a ${x:1}', ['expansion that evaluates']],
    ['a ${x@P}', ['expansion that evaluates']],
    ['a ${x:=y}', ['expansion that evaluates']],
    ['a ${x:-y} ${x#y} ${x/y/z} ${x^^} ${#x} $x', []],
    ['a !(b)', ['extended glob']],
    ['a !!', ['history expansion']],
    ['a "!b"', ['history expansion']],
    ['a \'!b\' \\!b ! b "b!" a!=b "c!: d" [!x]', []],
    ['a # ; b', ['comment']],
    ["a # don't", ['comment']],
    ['a # -x', ['comment']],
    ['a "$(b # ;\n)"', ['comment']],
    ['a `b # ;`', ['comment']],
    ['a `b \\`c # ;\n\\``', ['comment']],
    ['a # well-known words, so: nothing. Ünïcode', []],
    ['a b#c "# ;" \'# ;\' ${x# ;} ${x#;} $# \\# ;', []],
    ['a <<E\n# ;\nE', []],
    ["a <<'E'\n# don't\nE", []],
  ])('tells what %j does besides', (line, besides) => {
    expect(readShellLine(line).fault).toBeUndefined()
    expect(besidesOf(line)).toEqual(besides)
  })

  test.each([
    ["a 'b", /quote/],
    ['a "b', /quote/],
    ['a $(b', /substitution/],
    ['a $(b "$(c)', /./],
    ['a `b', /./],
    ['a ${b', /./],
    ['a $((1', /./],
    ['a (b)', /./],
    ['a )', /./],
    ['a &&', /./],
    ['| a', /./],
    ['if a', /./],
    ['a ;; b', /./],
    ['a <<E\nb', /here-document/],
    ['a\0b', /control character/],
    ['a\rb', /control character/],
    ['a\u001bb', /control character/],
    ['a\u0085b', /control character/],
    ['a'.repeat(65_537), /longer than 65536/],
    ['$('.repeat(1_001), /more than 1000 substitutions/],
    [`${'('.repeat(30_000)}a${')'.repeat(30_000)}`, /./],
  ])('says why it can’t read %j', (line, fault) => {
    expect(readShellLine(line).fault).toMatch(fault)
  })
})
