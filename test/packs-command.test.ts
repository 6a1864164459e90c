import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { project, root, skill } from './support/cli.ts'
import { hostileZips } from './support/hostile-zips.ts'

const files = {
  'skills/one/SKILL.md': `---\nname: one\ndescription: Does one thing. Use it for one.\nmetadata: {version: 1.2.0}\n---\n\nRun scripts/run.sh.\n`,
  'skills/one/scripts/run.sh': '#!/bin/sh\necho 1\n',
  'skills/two/SKILL.md': skill('two', 'Does another. Use it for two.'),
}
type Json = { readonly [key: string]: Json } & readonly Json[]
const trusting = (key: unknown) => JSON.stringify({ packs: { trusted_keys: [{ name: 'alice', key }] } })

describe('skills pack, install, verify and uninstall', () => {
  test('take a skill from one project to another', () => {
    using p = project(files)
    const packed = p.cli(['skills', 'pack', 'skills/one'])
    expect(packed, packed.err).toMatchObject({ code: 0, err: '' })
    expect(packed.out).toMatch(
      /^one 1\.2\.0: 1 skill, 2 files, [\d,]+ bytes\nfile {4}.*\/one-1\.2\.0\.zip\ndigest {2}[0-9a-f]{64}\n$/,
    )
    const installed = p.cli(['skills', 'install', 'one-1.2.0.zip'])
    expect(installed).toMatchObject({ code: 0, err: 'note: it is not signed\n' })
    expect(installed.out).toMatch(
      /^one: installed\nfrom {4}one 1\.2\.0 \(one-1\.2\.0\.zip\)\ninto {4}.*\/\.agent\/skills\n/,
    )
    expect(lstatSync(join(p.dir, '.agent/skills/one/scripts/run.sh')).mode & 0o777).toBe(0o755)
    const [digest] = /[0-9a-f]{64}/.exec(packed.out) ?? []
    const verified = p.cli(['skills', 'verify'])
    expect(verified.code).toBe(3)
    expect(verified.out).toContain(`unsigned  one 1.2.0\n`)
    expect(verified.out).toContain(`digest  ${digest}`)
    expect(p.cli(['skills', 'list']).out).toMatch(
      /^one +project +\(one 1\.2\.0 from one-1\.2\.0\.zip, not signed\) Does one/m,
    )
    expect(p.cli(['skills', 'inspect', 'one']).out).toContain(
      'installed     one 1.2.0 from one-1.2.0.zip, not signed\n',
    )
    const gone = p.cli(['skills', 'uninstall', 'one'])
    expect(gone).toMatchObject({ code: 0, out: `one: uninstalled from ${join(p.dir, '.agent/skills')}\n`, err: '' })
    expect(readdirSync(join(p.dir, '.agent/skills'))).toEqual([])
    expect(p.cli(['skills', 'verify']).out).toBe('no skill was installed from a pack\n')
  })

  test('say all that as JSON', () => {
    using p = project(files)
    const json = (...args: readonly string[]) => p.cli(['skills', ...args, '--json']).json as Json
    const packed = json('pack', '--name', 'both', '--version', '2.0.0')
    expect(packed).toMatchObject({
      name: 'both',
      version: '2.0.0',
      skills: ['one', 'two'],
      files: 3,
      signed: null,
      left_out: [],
    })
    const pack = {
      name: 'both',
      version: '2.0.0',
      digest: packed.digest,
      origin: 'both-2.0.0.zip',
      signer: { status: 'unsigned' },
    }
    expect(json('install', 'both-2.0.0.zip')).toEqual({
      root: join(p.dir, '.agent/skills'),
      pack,
      skills: [
        { name: 'one', change: 'installed' },
        { name: 'two', change: 'installed' },
      ],
      backups: [],
      findings: [],
      notes: ['it is not signed'],
    })
    expect(json('verify', 'two')).toEqual({
      verdict: 'unsigned',
      found: [
        {
          kind: 'skill',
          name: 'two',
          place: join(p.dir, '.agent/skills'),
          origin: 'both-2.0.0.zip',
          version: '2.0.0',
          digest: packed.digest,
          signer: { status: 'unsigned' },
          verdict: 'unsigned',
        },
      ],
    })
    const { name, ...rest } = pack
    const one = (json('list').skills as Json).find(({ name: listed }) => String(listed) === 'one')
    expect(one?.installed).toEqual({ ...rest, pack: name })
    expect(json('inspect', 'one').installed).toEqual({ ...rest, pack: name })
    expect(json('uninstall', 'two')).toEqual({ name: 'two', root: join(p.dir, '.agent/skills'), backups: [] })
    for (const [file, schema] of [['.agent/skills/skills.lock.json', 'lock']] as const) {
      const validate = new Ajv2020({ strict: true, strictTypes: false }).compile(
        JSON.parse(readFileSync(join(root, `schemas/${schema}.schema.json`), 'utf8')),
      )
      validate(JSON.parse(readFileSync(join(p.dir, file), 'utf8')))
      expect(validate.errors ?? []).toEqual([])
    }
  })

  test('are signed with the usual key of the one who has made it, which is never made twice', () => {
    using p = project(files)
    const made = p.cli(['skills', 'keygen', '--json']).json as Json
    expect(made.file).toBe(join(p.dir, '.home/.agent/keys/signing.pem'))
    expect(lstatSync(String(made.file)).mode & 0o777).toBe(0o600)
    expect(p.cli(['skills', 'keygen']).code).toBe(2)
    const packed = p.cli(['skills', 'pack', 'skills/one', '-o', 'a.zip', '--json', '--sign']).json as Json
    expect(packed.signed).toBe(made.fingerprint)
    expect(p.cli(['skills', 'pack', 'skills/one', '-o', 'b.zip']).code).toBe(0)
    expect(p.cli(['skills', 'sign', 'b.zip']).code).toBe(0)
    expect(readFileSync(join(p.dir, 'b.zip'))).toEqual(readFileSync(join(p.dir, 'a.zip')))
  })

  test('tell fine, tampered, unsigned and unknown key apart by the exit code', () => {
    using p = project(files)
    const code = (...args: readonly string[]) => p.cli(['skills', ...args]).code
    const made = p.cli(['skills', 'keygen', '-o', 'k.pem', '--json']).json as Json
    expect(lstatSync(join(p.dir, 'k.pem')).mode & 0o777).toBe(0o600)
    expect(code('pack', 'skills/one', '--sign', 'k.pem', '-o', 'signed.zip')).toBe(0)
    expect(code('pack', 'skills/one', '-o', 'plain.zip')).toBe(0)
    expect(code('verify', 'plain.zip')).toBe(3)
    expect(code('verify', 'plain.zip', '--accept-unsigned')).toBe(0)
    expect(code('verify', 'signed.zip')).toBe(4)
    expect(code('verify', 'signed.zip', '--accept-unknown-key')).toBe(0)
    expect(code('sign', 'plain.zip', '--key', 'k.pem', '-o', 'later.zip')).toBe(0)
    expect(readFileSync(join(p.dir, 'later.zip'))).toEqual(readFileSync(join(p.dir, 'signed.zip')))
    p.write({ '.agent/config.json': trusting(made.key) })
    expect(code('verify', 'signed.zip')).toBe(0)
    const refused = p.cli(['skills', 'install', 'plain.zip'])
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(/not signed[\s\S]*--accept-unsigned/)
    expect(code('install', 'plain.zip', '--accept-unsigned')).toBe(0)
    expect(code('install', 'signed.zip')).toBe(0)
    const fine = p.cli(['skills', 'verify'])
    expect(fine.code).toBe(0)
    expect(fine.out).toMatch(/^fine {2}one 1\.2\.0\n[\s\S]*signer {2}alice \([0-9a-f]{64}\)/)
    writeFileSync(join(p.dir, '.agent/skills/one/SKILL.md'), 'x')
    const tampered = p.cli(['skills', 'verify', 'one'])
    expect(tampered.code).toBe(1)
    expect(tampered.out).toMatch(/^tampered {2}one 1\.2\.0\n[\s\S]*changed SKILL\.md\n/)
    for (const wrong of [
      ['verify', 'nobody'],
      ['verify', 'gone.zip'],
      ['verify', '--root', 'a', '--user'],
    ])
      expect(code(...wrong)).toBe(2)
    p.write({ 'other.json': trusting(made.key).replace('alice', 'bob') })
    expect(p.cli(['skills', 'verify', 'signed.zip', '--config', 'other.json']).out).toContain('bob')
  })

  test('local edits are named and kept', () => {
    using p = project(files)
    p.cli(['skills', 'install', 'skills/two'])
    writeFileSync(join(p.dir, '.agent/skills/two/note.md'), 'mine')
    for (const args of [
      ['uninstall', 'two'],
      ['install', 'skills/one', '--root', '.agent/skills'],
      ['install', 'skills/two'],
    ]) {
      const { code, err } = p.cli(['skills', ...args])
      if (args[1] === 'skills/one') expect(code).toBe(0)
      else
        expect({ code, err }).toEqual({
          code: 2,
          err: expect.stringMatching(/two was changed.*note\.md \(added\)\n.*--force/),
        })
    }
    const { code, err } = p.cli(['skills', 'install', 'skills/two', '--force'])
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/kept in .*\.agent\/\.skills\.backups\/two-1\n/),
    })
    expect(readFileSync(join(p.dir, '.agent/.skills.backups/two-1/note.md'), 'utf8')).toBe('mine')
    expect(p.cli(['skills', 'list', '--source', 'project']).out).toMatch(/\n2 skills\n$/)
  })

  test('--user and --root choose the root', () => {
    using p = project(files)
    p.cli(['skills', 'install', 'skills/one', '--user'])
    p.cli(['skills', 'install', 'skills/two', '--root', 'elsewhere/x'])
    expect(existsSync(join(p.dir, '.home/.agent/skills/one/SKILL.md'))).toBe(true)
    expect(existsSync(join(p.dir, 'elsewhere/x/two/SKILL.md'))).toBe(true)
    expect(p.cli(['skills', 'verify', 'one']).code).toBe(3)
    expect(p.cli(['skills', 'verify', 'two']).code).toBe(2)
    expect(p.cli(['skills', 'verify', 'two', '--root', 'elsewhere/x']).code).toBe(3)
    expect(p.cli(['skills', 'uninstall', 'one']).code).toBe(0)
    expect(readdirSync(join(p.dir, '.home/.agent/skills'))).toEqual([])
  })

  test('the same skills give the same zip in every time zone, language and under every umask', () => {
    using p = project(files)
    const zip = (env: Record<string, string>, name: string) => {
      p.shell(['skills', 'pack', 'skills', '--name', 'x', '--version', '1.0.0', '-o', name], '')
      expect(p.cli(['skills', 'pack', 'skills', '--name', 'x', '--version', '1.0.0', '-o', name], env).code).toBe(0)
      return readFileSync(join(p.dir, name)).toString('base64')
    }
    const first = zip({ TZ: 'UTC', LC_ALL: 'C' }, 'a.zip')
    chmodSync(join(p.dir, 'skills/two/SKILL.md'), 0o600)
    expect(zip({ TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8', LANG: 'de_DE.UTF-8' }, 'b.zip')).toBe(first)
    p.run('sh', ['-c', `umask 077; cp -r skills copy; touch -d 2001-01-01 copy/one/SKILL.md`])
    expect(
      p.cli(['skills', 'pack', 'copy', '--name', 'x', '--version', '1.0.0', '-o', 'c.zip'], { TZ: 'America/St_Johns' })
        .code,
    ).toBe(0)
    expect(readFileSync(join(p.dir, 'c.zip')).toString('base64')).toBe(first)
  })

  test('what can not be packed is told with what to do', () => {
    using p = project({
      ...files,
      'skills/three/SKILL.md': '---\nname: Three\ndescription: D.\n---\n',
      'bad/one/SKILL.md': files['skills/two/SKILL.md'],
    })
    const pack = (...args: readonly string[]) => p.cli(['skills', 'pack', ...args])
    expect(pack()).toMatchObject({ code: 2, err: expect.stringMatching(/skills\/three\/SKILL\.md:2/) })
    expect(pack('skills/one', 'skills/two')).toMatchObject({ code: 2, err: expect.stringMatching(/--name/) })
    expect(pack('skills/two')).toMatchObject({ code: 2, err: expect.stringMatching(/--version/) })
    expect(pack('skills/two', '--version', 'x')).toMatchObject({ code: 2, err: expect.stringMatching(/version/) })
    expect(pack('nowhere')).toMatchObject({ code: 2, err: expect.stringMatching(/does not exist/) })
    p.write({ 'skills/one/.env': 'A=1', 'skills/two/.skillignore': 'notes/\n', 'skills/two/notes/a.md': '' })
    expect(pack('skills/one')).toMatchObject({ code: 2, err: expect.stringMatching(/one\/\.env.*\n.*\.skillignore/) })
    expect(pack('skills/two', '--version', '1.0.0').err).toContain('left out: two/notes/ (named in an ignore file)\n')
    expect(pack('skills/two', '--version', '1.0.0', '-q').err).toBe('')
    expect(readdirSync(p.dir).filter((name) => name.endsWith('.zip'))).toEqual(['two-1.0.0.zip'])
  })

  test('a zip is got over http, and its origin is kept', async () => {
    using p = project(files)
    p.cli(['skills', 'pack', 'skills/one', '-o', 'p.zip'])
    const zip = readFileSync(join(p.dir, 'p.zip'))
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/p.zip')) response.end(zip)
      else response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await new Promise((done) => server.once('listening', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const install = async (path: string) => {
      const child = p.start(['skills', 'install', `${url}${path}`, '--json'])
      return { code: await child.ended, ...child.said }
    }
    const got = await install('/p.zip?token=abc')
    expect(got.code, got.err).toBe(0)
    expect(JSON.parse(got.out).pack.origin).toBe(`${url}/p.zip`)
    const missing = await install('/q.zip')
    expect(missing).toMatchObject({ code: 2, err: expect.stringMatching(/the server says 404/) })
    server.close()
  })
})

describe('a hostile zip', () => {
  // Every kind is tried without a process in src/app/packs.test.ts; these are those that cost.
  const chosen = hostileZips.filter(({ name }) =>
    /bomb|unpacks|ratio|too many|archives|\.\.\/up|a link to a folder|whole other zip|packed size of 4/.test(name),
  )
  const usage = `data:text/javascript,process.on('exit',()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();process.stderr.write('RSS='+maxRSS+'/CPU='+(userCPUTime+systemCPUTime)/1000)})`

  test('is refused within 200 MB and 5 s, and the root stays as it was', () => {
    using p = project(files)
    p.cli(['skills', 'install', 'skills/one'])
    const before = p.run('sh', ['-c', 'find .agent -type f -exec sha256sum {} + | sort; ls -laR --time-style=+ .agent'])
    expect(chosen.length).toBeGreaterThan(8)
    for (const { name, zip, says } of chosen) {
      p.writeBytes('evil.zip', zip())
      const { code, out, err } = p.cli(['skills', 'install', 'evil.zip'], { NODE_OPTIONS: `--import=${usage}` })
      expect({ code, out }, name).toEqual({ code: 2, out: '' })
      expect(err, name).toMatch(/^error: the pack is refused: /)
      expect(err, name).toMatch(says)
      expect(Number(/RSS=(\d+)/.exec(err)?.[1]), name).toBeLessThan(200_000)
      // Its own time: others are at work on this machine.
      expect(Number(/CPU=(\d+)/.exec(err)?.[1]), name).toBeLessThan(5_000)
    }
    expect(p.run('sh', ['-c', 'find .agent -type f -exec sha256sum {} + | sort; ls -laR --time-style=+ .agent'])).toBe(
      before,
    )
  })

  test('a pack of the greatest size is installed, scan and all, within 256 MB', () => {
    using p = project(files)
    for (let n = 0; n < 3; n += 1) p.writeBytes(`skills/one/${n}.bin`, Buffer.alloc(15 * 1024 * 1024, n))
    expect(p.cli(['skills', 'pack', 'skills/one', '-o', 'p.zip']).code).toBe(0)
    const { code, err } = p.cli(['skills', 'install', 'p.zip'], { NODE_OPTIONS: `--import=${usage}` })
    expect(code, err).toBe(0)
    expect(Number(/RSS=(\d+)/.exec(err)?.[1])).toBeLessThan(256_000)
  })
})

describe('the help', () => {
  test.each(['pack', 'install', 'uninstall', 'verify', 'keygen', 'sign', 'prove'])(
    'of skills %s has an example',
    (command) => {
      using p = project()
      const { code, out } = p.cli(['skills', command, '--help'])
      expect(code).toBe(0)
      expect(out).toContain(`Example:\n  skills-eval skills ${command}`)
    },
  )

  test('the guide names no option that the program does not have', () => {
    using p = project()
    const guide = readFileSync(join(root, 'docs/packs.md'), 'utf8')
    const help = ['pack', 'install', 'uninstall', 'verify', 'keygen', 'sign', 'prove']
      .map((one) => p.cli(['skills', one, '--help']).out)
      .join('\n')
    const options = [...new Set([...guide.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option))]
    expect(options.length).toBeGreaterThan(8)
    expect(options.filter((option) => !help.includes(option))).toEqual([])
    const mentioned = [...new Set([...help.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option))]
    const common = ['--config', '--quiet', '--help', '--json']
    expect(mentioned.filter((option) => !guide.includes(option) && !common.includes(option))).toEqual([])
  })
})
