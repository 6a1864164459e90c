import { expect, test } from 'vitest'
import { hasErrors } from './diagnostic.ts'
import { FileError, InvalidInputError, SkillsEvalError } from './errors.ts'

test('an error has its class as name, a code, a hint and its cause', () => {
  const cause = new Error('below')
  const error = new FileError('file_missing', 'a.txt does not exist', { hint: 'Create it.', cause })
  expect(error).toBeInstanceOf(SkillsEvalError)
  expect({ ...error, name: error.name, message: error.message, cause: error.cause }).toEqual({
    name: 'FileError',
    code: 'file_missing',
    message: 'a.txt does not exist',
    hint: 'Create it.',
    cause,
  })
  expect('cause' in new SkillsEvalError('x', 'y')).toBe(false)
})

test('invalid input holds all that was found', () => {
  const warning = { severity: 'warning', code: 'a', message: 'b', file: 'c' } as const
  const error = new InvalidInputError([warning])
  expect([error.code, error.diagnostics]).toEqual(['invalid_input', [warning]])
  expect([hasErrors([warning]), hasErrors([warning, { ...warning, severity: 'error' }]), hasErrors([])]).toEqual([
    false,
    true,
    false,
  ])
})
