import { forEachChild, type Script, type SyntaxNode } from 'unbash'

/**
 * Whether a line has a comment that is more than plain words. zsh reads none at a terminal: there `git log # ; id`
 * runs id, and a lone quote in one turns what follows inside out.
 */
export const hasDoubtfulComment = (text: string, script: Script): boolean => {
  if (!text.includes('#')) return false
  const known = new Uint8Array(text.length)
  let isDoubtful = false
  const visit = (node: SyntaxNode): void => {
    if (isText.has(node.type)) known.fill(1, node.pos, node.end)
    if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') {
      known.fill(0, node.pos, node.end)
      // Positions below count in a text of its own: there each # is in doubt.
      if (node.script?.source !== undefined) return
    }
    forEachChild(node, visit)
  }
  visit(script)
  for (const { index, 0: comment } of text.matchAll(/(?<![^\s;&|()<>`])#[^\n]*/g))
    isDoubtful ||= known[index] === 0 && !isPlain(comment)
  return isDoubtful
}

/** What holds a `#` that begins no comment. */
const isText: ReadonlySet<SyntaxNode['type']> = new Set<SyntaxNode['type']>([
  'Word',
  'Assignment',
  'HereDocBody',
  'HereDocDelimiter',
  'TestCommand',
  'ArithmeticCommand',
  'ArithmeticFor',
])

const isPlain = (comment: string): boolean => /^#+(?:[\p{L}\p{N} \t.,:/_]|(?<=\p{L})-)*$/u.test(comment)
