/**
 * What a piece of code is written in, so far as a scan has to know: which lines are comments, and whether the shell's parser
 * reads it. `hash` is any language whose comments start with `#`; `unknown` may be a shell's or any other.
 */
export type CodeLanguage = 'shell' | 'python' | 'javascript' | 'hash' | 'other' | 'unknown'

/** Whether a whole line is one that nothing runs. */
export const isCommentLine = (line: string, language: CodeLanguage): boolean => {
  switch (language) {
    case 'shell':
    case 'python':
    case 'hash':
    case 'unknown':
      return /^\s{0,80}#/.test(line)
    case 'javascript':
      // In a text for a shell, `//usr/bin/…` is a command.
      return /^\s{0,80}\/\/(?!\w{1,20}\/)/.test(line)
    case 'other':
      return false
  }
}
