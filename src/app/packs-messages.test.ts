import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { notWritten } from '../adapters/files/output-file.ts'
import { hubSearchText } from '../report/hub-report.ts'
import { hubInstalledText, verifiedText } from '../report/packs-report.ts'
import { addHub } from './hub-config.ts'
import { fault, local, skillText, workplace } from './hubs.test-support.ts'
import { isHubSource } from './install-from-hub.ts'
import { installSkills } from './install-skills.ts'
import { packSkills } from './pack-skills.ts'
import { searchHubs } from './search-hubs.ts'
import { makeKey } from './signing-key.ts'
import { verifySkills } from './verify-skills.ts'

const withSkill = () => {
  const p = workplace()
  p.write('src/one/SKILL.md', skillText('one'))
  const pack = (options: object) => packSkills({ paths: ['src/one'], version: '1.0.0', ...options }, p.host)
  return { ...p, pack }
}

describe('what is packed', () => {
  test('lies in a folder that is made for it, and is refused in place of one', async () => {
    const p = withSkill()
    await p.pack({ output: 'new/deep/x.zip' })
    expect(existsSync(join(p.dir, 'new/deep/x.zip'))).toBe(true)
    for (const output of ['new', 'new/', 'other/'])
      expect(await fault(p.pack({ output }))).toMatchObject({
        code: 'output_is_folder',
        hint: expect.stringMatching(/^Name the file: -o (new|other)\/one-1\.0\.0\.zip$/),
      })
  })

  test.each([
    ['ENOSPC', 'the disk is full'],
    ['EROFS', 'the disk is read-only'],
    ['EACCES', 'permission denied'],
  ])('that can not be written (%s) is told without a temporary name, and with what to do', (code, why) => {
    expect(notWritten('x.zip', Object.assign(new Error(`${code}: .x.zip.1.tmp`), { code }))).toMatchObject({
      message: `x.zip can't be written: ${why}`,
      hint: expect.stringMatching(/write/i),
    })
  })

  test('is signed with a key that is there, before anything else is looked at', async () => {
    const p = withSkill()
    expect(await fault(p.pack({ sign: true }))).toMatchObject({
      code: 'no_key',
      hint: 'Make one: skills-eval skills keygen.',
    })
    expect(await fault(p.pack({ paths: ['nowhere'], sign: 'src/one' }))).toMatchObject({
      code: 'no_key',
      message: 'src/one was taken for the file of the private key, and is a folder',
    })
    makeKey('k.pem', p.host)
    expect(await fault((async () => makeKey('k.pem', p.host))())).toMatchObject({
      code: 'key_exists',
      hint: expect.stringContaining('-o FILE'),
    })
  })
})

describe('a hub', () => {
  test('without an index, or whose versions were all taken back, says what to do', async () => {
    const p = workplace()
    mkdirSync(join(p.dir, 'empty'))
    expect((await fault(addHub({ url: './empty' }, p.host))).hint).toContain('skills hub build DIR')
    await p.publish('a', 'one', '1.0.0')
    await p.build('a', { packs: { one: { yanked: { '1.0.0': 'it leaks' } } } })
    p.use(local('a'))
    expect((await fault(p.install('one'))).hint).toContain('one@1.0.0')
  })

  test('names both zips of one version', async () => {
    const p = workplace()
    await p.publish('a', 'one', '1.0.0')
    await packSkills({ paths: ['src/one'], version: '1.0.0', output: 'a/packs/again.zip' }, p.host)
    const { message } = await fault(p.build('a'))
    expect(message).toContain('one has the version 1.0.0 twice, in packs/')
    for (const zip of ['packs/one-1.0.0.zip', 'packs/again.zip']) expect(message).toContain(zip)
  })

  test('is asked for where none is configured', async () => {
    const p = workplace()
    const found = await searchHubs('x', { limit: 5 }, p.host)
    expect(hubSearchText(found, false).out).toBe('no hub is configured: skills-eval skills hub add URL\n')
    expect(hubSearchText({ ...found, hubs: 1 }, false).out).toBe('nothing was found\n')
  })

  test('of a project is none for the root of its user', async () => {
    const p = workplace()
    p.use(local('a'))
    const asked = (async () => isHubSource({ source: 'one', user: true }, p.host))()
    expect(await fault(asked)).toMatchObject({ code: 'no_hub', hint: expect.stringContaining('hub add URL --user') })
  })
})

describe('what is installed', () => {
  test('from what is no zip is refused by its name', async () => {
    const p = workplace()
    p.write('notes.zip', 'no zip')
    expect((await fault(installSkills({ source: 'notes.zip' }, p.host))).message).toContain(
      'notes.zip: it is not a zip',
    )
    p.write('odd/manifest.json', '{"format":1,"files":[]}')
    const { message } = await fault(installSkills({ source: './odd' }, p.host))
    expect(message).toContain('format should be "skills-eval/pack@1"')
  })

  test('over a newer version is told, and so is a new version of the same files', async () => {
    const p = withSkill()
    for (const version of ['1.1.0', '2.0.0']) await p.pack({ version, output: `${version}.zip` })
    await installSkills({ source: '1.1.0.zip' }, p.host)
    const up = await installSkills({ source: '2.0.0.zip' }, p.host)
    expect(up.skills).toEqual([{ name: 'one', change: 'unchanged', versions: { from: '1.1.0', to: '2.0.0' } }])
    expect(hubInstalledText({ ...up, hub: 'a', collection: null, packs: [] }).out).toContain(
      'one: unchanged but for its version, 1.1.0 → 2.0.0\n',
    )
    expect(up.notes.join()).not.toContain('older')
    const down = await installSkills({ source: '1.1.0.zip' }, p.host)
    expect(down.notes).toContain('one 2.0.0 was installed: 1.1.0 is the older one')
  })

  test('by nobody is told by verify, which says no more of it than before', async () => {
    const p = withSkill()
    p.write('.agent/skills/own/SKILL.md', skillText('own'))
    const verified = await verifySkills({}, p.host)
    expect(verified).toMatchObject({ verdict: 'fine', found: [], besides: [{ names: ['own'] }] })
    expect(verifiedText(verified, false).notes).toMatch(/^note: 1 skill in .*skills came from no pack.*: own\n$/)
    rmSync(join(p.dir, '.agent/skills/own'), { recursive: true })
    expect(await verifySkills({}, p.host)).toEqual({ verdict: 'fine', found: [] })
  })
})
