// What the scripts share: arguments, reading, exit codes, printable text. Only Node's own modules.
import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'

const MAX_BYTES = 1024 * 1024

/** The input can't be used; exit code 1. */
export class Failure extends Error {}

/** The arguments are wrong; exit code 2. */
export class Usage extends Error {}

/** Runs a script and sets the exit code: what main returns (default 0), 1 for a Failure, 2 for a Usage error. */
export function run(main, help) {
  process.stdout.on('error', () => process.exit(1))
  try {
    if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
      process.stdout.write(help)
      return
    }
    process.exitCode = main(process.argv.slice(2)) ?? 0
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Usage)) throw error
    process.stderr.write(`error: ${error.message}${error instanceof Usage ? '\nTry --help.' : ''}\n`)
    process.exitCode = error instanceof Usage ? 2 : 1
  }
}

/** Options and positionals; an unknown option or a missing value is a Usage error. */
export function readArguments(argv, options) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true })
  } catch (error) {
    throw new Usage(error.message.split('. ')[0])
  }
}

/** The text of a regular file of at most 1 MiB, with line feeds only. */
export function readText(path) {
  try {
    const found = statSync(path)
    if (!found.isFile()) throw new Failure(`${path} is not a regular file`)
    if (found.size > MAX_BYTES) throw new Failure(`${path} is larger than 1 MiB`)
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(error.code === 'ENOENT' ? `no such file: ${path}` : `can't read ${path}: ${error.code ?? 'unknown error'}`)
  }
}

export function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Text fit for one line of output: control characters escaped, long ones cut. */
export function shown(text, width = 160) {
  const flat = String(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return flat.length > width ? `${flat.slice(0, width - 1)}…` : flat
}
