import { describe, expect, test } from 'vitest'
import { chooseInterpreter } from './interpreter.ts'

const installed =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name) ? (name.startsWith('/') ? name : `/bin/${name}`) : undefined
const everything = installed('python3', 'python', 'bash', 'sh', 'node', 'tsx', 'bun', 'deno', 'ruby', 'perl')

const choose = (path: string, head = '', find = everything, nodeRunsTypeScript = false) => {
  const chosen = chooseInterpreter(path, head, find, nodeRunsTypeScript)
  return 'command' in chosen ? chosen.command.join(' ') : chosen.problem
}

describe('by its extension', () => {
  test.each([
    ['scripts/a.py', '/bin/python3'],
    ['scripts/a.sh', '/bin/bash'],
    ['scripts/a.bash', '/bin/bash'],
    ['scripts/a.js', '/bin/node'],
    ['scripts/a.mjs', '/bin/node'],
    ['scripts/a.cjs', '/bin/node'],
    ['scripts/a.ts', '/bin/tsx'],
    ['scripts/A.PY', '/bin/python3'],
  ])('%s runs with %s', (path, command) => {
    expect(choose(path)).toBe(command)
  })

  test('takes the next best that is installed', () => {
    expect(choose('a.py', '', installed('python'))).toBe('/bin/python')
    expect(choose('a.sh', '', installed('sh'))).toBe('/bin/sh')
    expect(choose('a.ts', '', installed('deno'))).toBe('/bin/deno run')
  })

  test('runs TypeScript with Node where it can', () => {
    expect(choose('a.ts', '', everything, true)).toBe('/bin/node')
  })

  test.each([
    ['a.py', 'a.py needs python3 or python, which is not installed here'],
    ['a.ts', 'a.ts needs tsx or bun or deno, which is not installed here'],
  ])('says what %s lacks', (path, problem) => {
    expect(choose(path, '', installed())).toBe(problem)
  })

  test.each(['data.csv', 'noext', 'py', 'sh/py', 'a.b/py', 'x.constructor', 'x.__proto__', '.py/x', 'a.'])(
    'does not run %s',
    (path) => {
      expect(choose(path)).toBe(
        `${path} has no shebang and its extension is none of .py, .sh, .bash, .js, .mjs, .cjs, .ts: it can't be run`,
      )
    },
  )
})

describe('by its shebang', () => {
  test.each([
    ['an absolute path', '#!/bin/sh\necho', '/bin/sh'],
    ['an absolute path of another machine', '#!/opt/homebrew/bin/python3\n', '/bin/python3'],
    ['env', '#!/usr/bin/env ruby\n', '/bin/ruby'],
    ['env -S', '#!/usr/bin/env -S deno run --quiet\n', '/bin/deno run --quiet'],
    ['options', '#!/bin/bash -eu\n', '/bin/bash -eu'],
    ['blanks and a line end of Windows', '#!  /usr/bin/env  perl \r\nprint', '/bin/perl'],
    ['no line end', '#!/bin/sh', '/bin/sh'],
  ])('with %s', (_, head, command) => {
    expect(choose('scripts/tool.py', head)).toBe(command)
  })

  test.each([
    ['a program that is not there', '#!/usr/bin/env cobol\n', 'a.py needs cobol, which is not installed here'],
    [
      'options of env',
      '#!/usr/bin/env -i python3\n',
      'a.py has a shebang that does not begin with a program: #!/usr/bin/env -i python3',
    ],
    [
      'a variable',
      '#!/usr/bin/env A=1 python3\n',
      'a.py has a shebang that does not begin with a program: #!/usr/bin/env A=1 python3',
    ],
    ['env alone', '#!/usr/bin/env\n', 'a.py has a shebang that does not begin with a program: #!/usr/bin/env'],
    ['a folder', '#!/usr/bin/\n', 'a.py has a shebang that does not begin with a program: #!/usr/bin/'],
  ])('says what is wrong with %s', (_, head, problem) => {
    expect(choose('a.py', head)).toBe(problem)
  })

  test('that is not on the first line is none', () => {
    expect(choose('a.py', '\n#!/bin/sh\n')).toBe('/bin/python3')
  })
})
