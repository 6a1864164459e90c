import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fault, local, skillText, workplace } from './hubs.test-support.ts'
import { installSkills } from './install-skills.ts'
import { packSkills } from './pack-skills.ts'
import { makeKey } from './signing-key.ts'

describe('what a hub writes into a collection', () => {
  const withSuite = async (range: string) => {
    const p = workplace()
    for (const version of ['1.0.0', '1.1.0']) await p.publish('a', 'one', version)
    await p.build('a', { collections: { suite: { packs: { one: range } } } })
    p.use(local('a'))
    return p
  }

  test('brings no older version over a newer one', async () => {
    const p = await withSuite('1.0.0')
    await p.install('one')
    expect((await fault(p.install('suite'))).code).toBe('downgrade')
    expect(p.skill('one')).toContain('1.1.0')
    await p.install('one@1.0.0')
    expect(p.skill('one')).toContain('1.0.0')
  })

  test('brings none that was taken back, which only who names it gets', async () => {
    const p = await withSuite('1.1.0')
    // As a hub may serve it, whatever `hub build` lets pass.
    const yanked = p.index('a').packs.map((pack) => ({
      ...pack,
      versions: pack.versions.map((one) => (one.version === '1.1.0' ? { ...one, yanked: 'it leaks' } : one)),
    }))
    p.write('a/index.json', JSON.stringify({ ...p.index('a'), packs: yanked }))
    expect((await fault(p.install('suite'))).code).toBe('no_version')
    expect((await p.install('one@1.1.0')).notes.join()).toContain('it leaks')
  })
})

test('a version that is installed is not replaced by another one of its number', async () => {
  const p = workplace()
  await p.publish('a', 'one', '1.0.0')
  await p.build('a')
  p.use(local('a'))
  await p.install('one')
  p.write('src/one/SKILL.md', skillText('one', 'Something else.'))
  await packSkills({ paths: ['src'], version: '1.0.0', output: 'a/packs/one-1.0.0.zip' }, p.host)
  rmSync(`${p.dir}/a/index.json`)
  await p.build('a')
  for (const source of ['one', 'one@1.0.0']) expect((await fault(p.install(source))).code).toBe('hub_changed')
  expect(p.skill('one')).not.toContain('Something else.')
  await p.install('one', { force: true })
  expect(p.skill('one')).toContain('Something else.')
})

describe('a file or a folder', () => {
  const fromHub = async () => {
    const p = workplace()
    await p.publish('a', 'one', '1.0.0')
    await p.build('a')
    p.use(local('a'))
    await p.install('one')
    return p
  }

  test('takes no skill over that a hub gave, unless it is forced', async () => {
    const p = await fromHub()
    const before = p.lock()
    for (const source of ['./src/one', 'a/packs/one-1.0.0.zip'])
      expect(await fault(installSkills({ source }, p.host))).toMatchObject({
        code: 'other_origin',
        hint: 'Uninstall it first, or add --force.',
      })
    expect(p.lock()).toEqual(before)
    await installSkills({ source: './src/one', force: true }, p.host)
    expect(Object.values(p.lock().packs)).not.toMatchObject([{ hub: {} }])
  })

  test('takes no skill over that another pack gave', async () => {
    const p = workplace()
    await p.publish('x', 'one', '1.0.0')
    await p.publish('x', 'other', '1.0.0', ['one'])
    await installSkills({ source: 'x/packs/one-1.0.0.zip' }, p.host)
    expect(await fault(installSkills({ source: 'x/packs/other-1.0.0.zip' }, p.host))).toMatchObject({
      code: 'other_origin',
      message:
        'one is installed from one of x/packs/one-1.0.0.zip, and would be replaced by other of x/packs/other-1.0.0.zip',
    })
    await p.publish('x', 'one', '1.1.0')
    await installSkills({ source: 'x/packs/one-1.1.0.zip' }, p.host)
    expect(p.skill('one')).toContain('1.1.0')
  })
})

describe('what somebody signed', () => {
  const signed = async (next: 'nobody' | 'other') => {
    const p = workplace()
    const [mine, other] = ['mine.pem', 'other.pem'].map((file) => makeKey(file, p.host))
    await p.publish('a', 'one', '1.0.0', ['one'], 'mine.pem')
    await p.build('a')
    p.use(local('a'))
    await p.install('one')
    await p.publish('a', 'one', '1.1.0', ['one'], next === 'other' ? 'other.pem' : undefined)
    await p.build('a')
    return { ...p, mine, other }
  }

  test('is not updated to what nobody signed, unless that is accepted', async () => {
    const p = await signed('nobody')
    for (const dryRun of [true, false])
      expect(await fault(p.update({ dryRun, force: true }))).toMatchObject({
        code: 'other_signer',
        hint: 'Ask its makers; if that is so, add --accept-unsigned.',
      })
    expect((await fault(p.install('one', { acceptUnknownKey: true, force: true }))).code).toBe('other_signer')
    expect(p.skill('one')).toContain('1.0.0')
    expect((await p.update({ acceptUnsigned: true })).updates).toMatchObject([{ to: '1.1.0' }])
  })

  test('is not updated to what another key signed, unless that is accepted or the key is trusted', async () => {
    const p = await signed('other')
    expect(await fault(p.update({ acceptUnsigned: true }))).toMatchObject({
      code: 'other_signer',
      hint: 'Ask its makers; if that is so, add --accept-unknown-key.',
    })
    const key = p.other?.key
    p.write(
      '.agent/config.json',
      JSON.stringify({ packs: { hubs: [local('a')], trusted_keys: [{ name: 'other', key }] } }),
    )
    expect((await p.update()).updates).toMatchObject([{ to: '1.1.0' }])
    const q = await signed('other')
    expect((await q.update({ acceptUnknownKey: true })).updates).toMatchObject([{ to: '1.1.0' }])
  })
})
