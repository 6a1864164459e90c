import { readdirSync, readFileSync } from 'node:fs'

const mostPasses = 20

/**
 * Ends every process that was started after the process `first` and whose environment has this entry (`NAME=value`): what
 * left the process group of a script is found by it. Best effort: only where the system shows environments under
 * /proc, and not what gave itself another one.
 */
export const endStrays = (entry: string, first: number): void => {
  const ended = new Set<number>()
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const found = processesSince(first).filter((pid) => !ended.has(pid) && environmentOf(pid).includes(`\0${entry}\0`))
    if (found.length === 0) return
    for (const pid of found) {
      end(pid)
      ended.add(pid)
    }
  }
}

/** Ids are given in turn and begin anew at the top: reading the environments of all processes would take 5 ms and more. */
const processesSince = (first: number): number[] => {
  try {
    const newest = Number(readFileSync('/proc/loadavg', 'latin1').split(' ')[4])
    const isSince = (pid: number) => (newest >= first ? pid > first && pid <= newest : pid > first || pid <= newest)
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && isSince(pid) && pid !== process.pid)
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
