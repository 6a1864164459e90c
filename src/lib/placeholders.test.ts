import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { argumentNames, fillPlaceholders, placeholdersIn } from './placeholders.ts'
import { splitWords } from './split-words.ts'

const fill = (text: string, given: string | undefined, names: readonly string[] = []) =>
  fillPlaceholders(text, { names, given, folder: '/skills/x' })

describe('placeholders of a skill', () => {
  test.each<[string, string, string, boolean]>([
    ['Fix $ARGUMENTS now.', 'issue "4 2"', 'Fix issue "4 2" now.', true],
    ['$0 from $1 to $2', '"Search Bar" React Vue', 'Search Bar from React to Vue', true],
    ['$ARGUMENTS[1]/$ARGUMENTS[0]', 'a b', 'b/a', true],
    ['$ARGUMENTS[1]x $ARGUMENTS[a]', 'a b', 'bx a b[a]', true],
    ['$0 and $3', 'a', 'a and $3', true],
    ['$3 alone', 'a', '$3 alone', false],
    ['costs \\$5, \\$ARGUMENTS, $1x, $10', 'a b', 'costs $5, $ARGUMENTS, $1x, $10', false],
    ['$ARGUMENTS', '', '', true],
    ['$ARGUMENTSX $HOME ${HOME} $(date)', 'a', '$ARGUMENTSX $HOME ${HOME} $(date)', false],
    ['nothing', 'a', 'nothing', false],
    ['run ${CLAUDE_SKILL_DIR}/a.sh \\${CLAUDE_SKILL_DIR}', 'a', 'run /skills/x/a.sh ${CLAUDE_SKILL_DIR}', false],
  ])('%j with %j', (text, given, expected, isTaken) => {
    expect(fill(text, given)).toEqual({ text: expected, isTaken })
  })

  test('of names stand for the words in their order, and for nothing where there is none', () => {
    const names = argumentNames('from from-branch to')
    expect(fill('$from-branch, $from, $to, $other, $tooth', 'a b', names)).toEqual({
      text: 'b, a, , $other, $tooth',
      isTaken: true,
    })
    expect(fill('[$from]', '', names)).toEqual({ text: '[]', isTaken: false })
  })

  test('stay as they are where nobody invoked the skill by its name, but for its folder', () => {
    const text = '$ARGUMENTS $0 \\$1 $from'
    expect(fill(`${text} \${CLAUDE_SKILL_DIR}`, undefined, ['from'])).toEqual({
      text: `${text} /skills/x`,
      isTaken: false,
    })
  })

  test('what is filled in is not read again', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('$ARGUMENTS', '$0', '$1', '${CLAUDE_SKILL_DIR}', '$&', "$'", '\\$0', 'a', ' '), {
          minLength: 1,
        }),
        (parts) => {
          const given = parts.join('').trim()
          expect(fill('<$ARGUMENTS>', given).text).toBe(`<${given}>`)
          const [first] = splitWords(given)
          expect(fill('<$0>', given).text).toBe(`<${first ?? '$0'}>`)
        },
      ),
    )
  })

  test('are listed once each, as they are written', () => {
    expect(placeholdersIn('$0 $ARGUMENTS $0 \\$1 ${CLAUDE_SKILL_DIR} $x', ['x'])).toEqual([
      '$0',
      '$ARGUMENTS',
      '${CLAUDE_SKILL_DIR}',
      '$x',
    ])
  })

  test.each<[unknown, readonly string[]]>([
    ['issue branch', ['issue', 'branch']],
    [
      ['a', 'b-c', 3, '$(x)', 'ARGUMENTS', 'x|y'],
      ['a', 'b-c'],
    ],
    [{ a: 1 }, []],
    [undefined, []],
  ])('names in %j', (value, expected) => {
    expect(argumentNames(value)).toEqual(expected)
  })
})

describe('words', () => {
  test.each<[string, readonly string[]]>([
    ['a  b\nc', ['a', 'b', 'c']],
    [`"a b" 'c "d"' e"f g"h`, ['a b', 'c "d"', 'ef gh']],
    ['"a \\"b\\" c" d\\ e', ['a "b" c', 'd e']],
    [`"" ''`, ['', '']],
    [`what's up`, ["what's", 'up']],
    ['"open a', ['"open', 'a']],
    ['C:\\data $(rm) `x` ; *', ['C:\\data', '$(rm)', '`x`', ';', '*']],
    ['', []],
  ])('%j', (text, expected) => {
    expect(splitWords(text)).toEqual(expected)
  })
})
