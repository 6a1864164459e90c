/**
 * Lets a run go on when what it prints can't be taken. A reader that has gone (`| head`) is no fault of anybody; anything
 * else, such as a full disk, is told and makes the exit code 1 where it would be 0.
 */
export const surviveBrokenOutput = (): void => {
  let isTold = false
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE' || isTold) return
    isTold = true
    process.stderr.write(`error: the output could not be written: ${error.code ?? error.message}\n`)
    process.on('exit', (code) => {
      if (code === 0) process.exitCode = 1
    })
  }
  process.stdout.on('error', onError)
  process.stderr.on('error', onError)
}
