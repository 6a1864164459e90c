/** Prose as an agent reads it, however it is dressed up; `offsets` lead back into what was written. */
export type PlainProse = { readonly text: string; readonly offsets: Uint32Array }

/**
 * Prose with all that pulls words apart gone: invisible characters, emphasis, quote marks of lines, line ends; wide and
 * styled letters are plain ones, and look-alikes from other scripts inside Latin words are the letters that they look
 * like. A sentence end stays; blank lines become one, so that a heading is no part of what follows.
 */
export const plainProse = (written: string): PlainProse => {
  const parts: string[] = []
  const offsets = new Uint32Array(written.length * 2 + 16)
  let length = 0
  const push = (piece: string, offset: number, isAscii = false): void => {
    // Inside a plain piece every character is where it was; elsewhere the start will do.
    for (let i = 0; i < piece.length && length < offsets.length; i += 1) offsets[length++] = offset + (isAscii ? i : 0)
    parts.push(piece)
  }
  for (const match of written.matchAll(tokens)) {
    const [token] = match
    const { index } = match
    if (/^\s/.test(token)) push(/\n[^\S\n]*\r?\n/.test(token) ? '. ' : ' ', index)
    else if (/^[!-~]/.test(token) && /^[!-~]+$/.test(token)) pushAscii(token, index, push)
    else if (isDropped(token)) continue
    else if (/^[\p{L}\p{N}]/u.test(token)) push(plainWord(token), index)
    else push(token, index)
  }
  return { text: parts.join(''), offsets }
}

// Line ends with the marks of quotes, headings, lists and comments behind them; plain text that no other letter joins;
// words; anything else by itself.
const tokens =
  /[^\S\n]*\r?\n[\s>#|]*(?:(?:[-+]|\/\/)[^\S\n]+)?|[^\S\n]+|[!-~]+(?![^\0-\x7f])|[\p{L}\p{N}\p{Cf}\p{M}]+|[\s\S]/gu

const isDropped = (token: string): boolean => /^(?:[“”„«»\p{Cf}]|[\ufe00-\ufe0f])+$/u.test(token)

const pushAscii = (
  token: string,
  offset: number,
  push: (piece: string, offset: number, isAscii: boolean) => void,
): void => {
  if (!/[*`~"]/.test(token)) push(token, offset, true)
  else for (const part of token.matchAll(/[^*`~"]+/g)) push(part[0], offset + part.index, true)
}

export const plainWord = (word: string): string => {
  const plain = word.replace(/[\p{Cf}\u{e0000}-\u{e01ef}]/gu, '').normalize('NFKC')
  // Words of one script are what they are; a Latin word with a Cyrillic letter in it is dressed up.
  const isMixed = /[a-z]/i.test(plain) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(plain)
  return isMixed ? [...plain].map((letter) => lookAlikes.get(letter) ?? letter).join('') : plain
}

const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ѕ: 's', ј: 'j', һ: 'h', ԁ: 'd', ո: 'n' },
    ...{ А: 'A', В: 'B', Е: 'E', К: 'K', М: 'M', Н: 'H', О: 'O', Р: 'P', С: 'C', Т: 'T', Х: 'X', І: 'I', Ѕ: 'S' },
    ...{ α: 'a', ο: 'o', ν: 'v', ι: 'i', ρ: 'p', τ: 't', υ: 'u', Ο: 'O', Ι: 'I', Α: 'A', Ε: 'E', ɡ: 'g', ӏ: 'l' },
  }),
)
