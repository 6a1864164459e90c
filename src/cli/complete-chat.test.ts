import { expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import { completeChat } from './complete-chat.ts'

test('a file whose name would speak to the terminal stands for no word', () => {
  const files = memoryFiles({ '/p/data-1.txt': '', '/p/data-\u001b]0;x\u0007.txt': '', '/p/data-\u202e.txt': '' })
  expect(completeChat('Read dat', { skills: () => [] }, { cwd: '/p', files })).toEqual([['data-1.txt'], 'dat'])
})
