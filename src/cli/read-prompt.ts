import { resolve } from 'node:path'
import type { Host } from '../app/host.ts'
import { UsageError } from '../core/errors.ts'

const maxBytes = 1024 * 1024

/** The task: the words themselves, a file, or standard input (`-`). Throws a UsageError where there is none, or two. */
export const readPrompt = async (words: readonly string[], file: string | undefined, host: Host): Promise<string> => {
  if (file !== undefined && words.length > 0) {
    throw new UsageError('two_prompts', 'the task is given twice: as words and as --prompt-file')
  }
  const isStdin = file === '-' || (file === undefined && words.length === 1 && words[0] === '-')
  const text = isStdin
    ? await readStdin(host.signal)
    : file === undefined
      ? words.join(' ')
      : host.files.readText(resolve(host.cwd, file), maxBytes)
  const prompt = text.trim()
  if (prompt !== '') return prompt
  throw new UsageError('no_prompt', 'there is no task', {
    hint: 'Give it as words, with --prompt-file FILE, or as - on standard input.',
  })
}

const readStdin = async (signal: AbortSignal): Promise<string> => {
  signal.addEventListener('abort', () => process.stdin.destroy(), { once: true })
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk)
    bytes += piece.length
    if (bytes > maxBytes) throw new UsageError('long_prompt', 'the task on standard input is larger than 1 MiB')
    chunks.push(piece)
  }
  const text = Buffer.concat(chunks)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    throw new UsageError('bad_prompt', 'the task on standard input is not UTF-8')
  }
}
