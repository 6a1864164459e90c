let input = ''
for await (const piece of process.stdin) input += piece
console.log(JSON.stringify({ arguments: process.argv.slice(2), input }))
