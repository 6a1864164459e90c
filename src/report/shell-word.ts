/**
 * A text as one word of a POSIX shell line, quoted where it has to be. What can't be seen should have been written
 * out before: a line break in it stays one.
 */
export const shellWord = (text: string): string =>
  // A shell may take a word that starts with `=` for the name of a program (zsh).
  /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
