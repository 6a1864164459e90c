import { readdirSync, readFileSync } from 'node:fs'

const mostPasses = 20

/**
 * Ends every process whose environment has this entry (`NAME=value`): what left the process group of a script is found by
 * it. Best effort: only where the system shows environments under /proc, and not what gave itself another one.
 */
export const endStrays = (entry: string): void => {
  const ended = new Set<number>()
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const found = carriersOf(`\0${entry}\0`).filter((pid) => !ended.has(pid))
    if (found.length === 0) return
    for (const pid of found) {
      end(pid)
      ended.add(pid)
    }
  }
}

const carriersOf = (entry: string): number[] =>
  processIds().filter((pid) => pid !== process.pid && environmentOf(pid).includes(entry))

const processIds = (): number[] => {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    // No such system: the process group is all that we can end.
    return []
  }
}

const environmentOf = (pid: number): string => {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`
  } catch {
    // Gone meanwhile, or not ours.
    return ''
  }
}

const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone meanwhile.
  }
}
