// Ends the process with SIGKILL before or after the Nth change that it makes to the disk: KILL_AT=N. Without it, tells at
// the end how many there were.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const at = Number(process.env.KILL_AT ?? 0)
const isAfter = process.env.KILL_AFTER === '1'
let count = 0
const names = [
  'renameSync',
  'linkSync',
  'mkdirSync',
  'rmSync',
  'rmdirSync',
  'unlinkSync',
  'writeFileSync',
  'writeSync',
  'chmodSync',
]
for (const name of names) {
  const real = fs[name]
  fs[name] = (...args) => {
    count += 1
    const isNow = count === at
    if (isNow && !isAfter) process.kill(process.pid, 'SIGKILL')
    const result = real.apply(fs, args)
    if (isNow) process.kill(process.pid, 'SIGKILL')
    return result
  }
}
syncBuiltinESMExports()
process.on('exit', () => {
  if (at === 0) process.stderr.write(`WRITES ${count}\n`)
})
