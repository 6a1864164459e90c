// Far more than what is kept of an output.
process.stdout.write(`the first line\n${'x'.repeat(63)}\n`.padEnd(100, 'x'))
for (let i = 0; i < 5_000; i++) process.stdout.write(`${String(i).padStart(99, '.')}\n`)
process.stdout.write('the last line\n')
