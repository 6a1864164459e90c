import { readFileSync } from 'node:fs'

export type ResourceLimits = {
  readonly memoryMb: number
  readonly fileMb: number
  /** Of the user as a whole. */
  readonly processes?: number | undefined
}

const mib = 1024 * 1024

/**
 * Puts a command under limits of the system by starting it with prlimit; as it is where there is no prlimit. `--data`
 * and not `--as`: Node reserves far more addresses than it uses.
 */
export const limitCommand = (
  command: readonly string[],
  limits: ResourceLimits,
  prlimit: string | undefined,
): readonly string[] => {
  if (prlimit === undefined) return command
  const allowed = hardLimits()
  const option = (name: string, label: string, value: number) =>
    `--${name}=${Math.min(value, allowed.get(label) ?? Number.POSITIVE_INFINITY)}`
  return [
    prlimit,
    option('data', 'Max data size', limits.memoryMb * mib),
    option('fsize', 'Max file size', limits.fileMb * mib),
    '--core=0',
    ...(limits.processes === undefined ? [] : [option('nproc', 'Max processes', limits.processes)]),
    '--',
    ...command,
  ]
}

/** What we have ourselves, by its name in /proc: nobody may ask for more. Empty where all is unlimited or unknown. */
const hardLimits = (): ReadonlyMap<string, number> => {
  try {
    const lines = readFileSync('/proc/self/limits', 'latin1').split('\n')
    return new Map(
      lines.flatMap((line) => {
        const found = /^(.+?) {2,}\S+ +(\d+)/.exec(line)
        return found ? [[found[1] ?? '', Number(found[2])] as const] : []
      }),
    )
  } catch {
    // No such system: prlimit itself will say what it can't do.
    return new Map()
  }
}
