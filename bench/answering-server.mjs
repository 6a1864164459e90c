// Answers as the OpenAI Chat Completions API does, so that there is something to record. usage: node answering-server.mjs
// PORT-FILE. What it answers goes by how many answers the conversation has already.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const calls = [
  { name: 'select_skills', arguments: { skills: [{ name: 'csv-analyzer' }] } },
  { name: 'load_resource', arguments: { skill: 'csv-analyzer', path: 'references/columns.md' } },
  { name: 'list_dir', arguments: { path: '.' } },
]

const server = createServer((request, response) => {
  const pieces = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(pieces).toString())
    const turn = messages.filter(({ role }) => role === 'assistant').length
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer(turn, String(messages.find(({ role }) => role === 'user').content))))
  })
})

const answer = (turn, question) => {
  const call = calls[turn]
  const month = /\d+/.exec(question)?.[0] ?? '0'
  return {
    id: `c-${turn}`,
    object: 'chat.completion',
    created: 0,
    model: 'bench-1',
    choices: [
      {
        index: 0,
        finish_reason: call ? 'tool_calls' : 'stop',
        message: {
          role: 'assistant',
          content: call ? null : `{"answer": "month ${month}", "revenue": ${month}}`,
          ...(call && {
            tool_calls: [
              {
                id: `call_${turn}`,
                type: 'function',
                function: { name: call.name, arguments: JSON.stringify(call.arguments) },
              },
            ],
          }),
        },
      },
    ],
    usage: { prompt_tokens: 900 + 400 * turn, completion_tokens: 30, total_tokens: 930 + 400 * turn },
  }
}

server.listen(0, '127.0.0.1', () => writeFileSync(process.argv[2], String(server.address().port)))
