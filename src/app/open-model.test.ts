import { describe, expect, test } from 'vitest'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import { type Config, configSchema } from '../schema/config.ts'
import { modelOpener } from './open-model.ts'

const config = (models: object): Config => configSchema.parse({ models })
const open = (profile: object, env: Readonly<Record<string, string>> = {}) =>
  modelOpener(['m'], config({ m: { model: 'x', ...profile } }), { env }, memoryClock())

describe('modelOpener', () => {
  test('opens a scripted model without any key', async () => {
    const model = (await modelOpener(['mock'], {}, { env: {} }, memoryClock()))('mock', [])
    expect(model).toMatchObject({ profile: 'mock', protocol: 'native' })
  })

  test.each([
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['openai', 'OPENAI_API_KEY'],
    ['openai-responses', 'OPENAI_API_KEY'],
  ])('%s needs %s', async (provider, variable) => {
    await expect(open({ provider })).rejects.toThrow(`the model profile "m" needs a key and ${variable} is not set`)
    await expect(open({ provider }, { [variable]: ' \n' })).rejects.toThrow('is not set')
    const model = (await open({ provider, protocol: 'text' }, { [variable]: 'k' }))('m', undefined)
    expect(model).toMatchObject({ profile: 'm', protocol: 'text' })
  })

  test('takes the key from the variable that the profile names, and from no other', async () => {
    const profile = { provider: 'openai', api_key_env: 'CORP_KEY' }
    await expect(open(profile, { OPENAI_API_KEY: 'k' })).rejects.toThrow('CORP_KEY is not set')
    await open(profile, { CORP_KEY: 'k' })
  })

  test('a server of its own needs no key, unless the profile names one', async () => {
    const server = { provider: 'openai', base_url: 'http://localhost:11434/v1' }
    await open(server)
    await expect(open({ ...server, api_key_env: 'CORP_KEY' })).rejects.toThrow('CORP_KEY is not set')
  })

  test('a key that no header can carry is refused, and not shown', async () => {
    for (const key of ['se cret', 'se\ncret', 'sécret']) {
      const problem = await open({ provider: 'openai' }, { OPENAI_API_KEY: key }).catch(String)
      expect(problem).toContain('what OPENAI_API_KEY holds is no key')
      expect(problem).not.toContain('cret')
    }
  })

  test('knows no profile but those it made ready', async () => {
    const opened = await open({ provider: 'mock' })
    expect(() => opened('other', undefined)).toThrow('other was not made ready')
  })
})
