import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writtenForms } from './secret-encodings.ts'

test('a secret of six characters is found in the base64 of what holds it, wherever it stands in it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[!-~]{6}$/), fc.nat(8), fc.nat(8), (secret, before, after) => {
      const held = Buffer.from(`${'a'.repeat(before)}${secret}${'b'.repeat(after)}`)
      const forms = writtenForms(secret)
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const text = held.toString(encoding)
        expect(
          forms.some((form) => text.includes(form)),
          `${encoding} ${text}`,
        ).toBe(true)
      }
    }),
  )
})

test('no form is shorter than the value: it would be found in anything', () => {
  for (const form of writtenForms('a1')) expect(form.length).toBeGreaterThanOrEqual(2)
  expect(writtenForms('pw').filter((form) => form !== 'pw')).toEqual(['7077'])
})
