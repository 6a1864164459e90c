import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTree } from '../adapters/files/read-tree.ts'
import { tempFolder } from '../adapters/files/temp-folder.test-support.ts'
import { unpackZip } from '../adapters/zip/unpack-zip.ts'
import { SkillsEvalError } from '../core/errors.ts'
import { checkZip } from '../distribution/check-zip.ts'
import { filesOf } from '../distribution/drift.ts'
import { packLimits } from '../distribution/limits.ts'
import { makeManifest, manifestBytes, readManifest } from '../distribution/manifest.ts'
import { filesDigest, proofBytes } from '../distribution/proof.ts'
import type { Manifest } from '../schema/pack.ts'
import type { Proof } from '../schema/proof.ts'
import { indexSkills } from '../skills/index-skills.ts'
import { listResources } from '../skills/list-resources.ts'
import { hostIn as quietHost } from './host.test-support.ts'
import type { Host } from './host.ts'
import { installSkills } from './install-skills.ts'
import { packSkills } from './pack-skills.ts'
import { proveSkill } from './prove-skill.ts'
import { uninstallSkill } from './uninstall-skill.ts'
import { verifySkills } from './verify-skills.ts'

const repository = resolve(import.meta.dirname, '../..')
const suite = 'evals/recorded/changelog-writer.eval.yaml'
const cassette = 'recordings/recorded-changelog-writer/next-version/claude.json'

const hostIn = (cwd: string, home = join(cwd, 'home')): Host =>
  quietHost(cwd, { home, env: { PATH: process.env.PATH }, isCi: false })

const config = {
  models: { claude: { provider: 'anthropic', model: 'claude-sonnet-5-5', params: { max_tokens: 8000 } } },
}

/** A project with our own skills and the recordings of one of its suites. */
const author = () => {
  const dir = tempFolder({ '.agent/config.json': JSON.stringify(config) })
  for (const path of ['skills', suite, 'fixtures/commits', 'recordings/recorded-changelog-writer']) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    cpSync(join(repository, path), join(dir, path), { recursive: true })
  }
  return workplace(dir)
}

const workplace = (dir: string) => {
  const host = hostIn(dir)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  const read = (path: string) => readFileSync(join(dir, path), 'utf8')
  return {
    dir,
    host,
    write,
    read,
    edit: (path: string, from: string, to: string) => {
      expect(read(path)).toContain(from)
      write(path, read(path).replace(from, to))
    },
    pack: (suites: readonly string[] = [suite], output = 'p.zip') =>
      packSkills({ paths: ['skills'], name: 'all', version: '1.0.0', output, proof: { suites } }, host),
    install: (source: string) => installSkills({ source }, host),
    prove: (what: string, runGraders = false) => proveSkill({ what, runGraders }, host),
    verify: async (what?: string) => (await verifySkills({ what }, host)).found[0],
  }
}

type Pack = { readonly dir: string; proof: Proof; write(path: string, text: string): void; read(path: string): string }

/** The pack as somebody would forge it: unpacked, changed, and sealed again so that each digest fits. */
const forge = async (p: ReturnType<typeof workplace>, change: (pack: Pack) => void, isResealed = true) => {
  const bytes = readFileSync(join(p.dir, 'p.zip'))
  const dir = join(p.dir, 'forged')
  mkdirSync(dir)
  const entries = checkZip(bytes)
  if ('problem' in entries) throw new Error(entries.problem)
  await unpackZip(bytes, entries, dir, p.host.signal)
  const own = workplace(dir)
  const old = readManifest(readFileSync(join(dir, 'manifest.json'))) as Manifest
  const forged: Pack = { dir, proof: JSON.parse(own.read('.proof/proof.json')), write: own.write, read: own.read }
  change(forged)
  const tree = () => readTree(dir, packLimits, (path) => path === 'manifest.json')
  const { files } = tree()
  const resealed: Proof = {
    ...forged.proof,
    sources: filesDigest(filesOf(files, '.proof/project')),
    skills: forged.proof.skills.map((one) => ({ ...one, sha256: filesDigest(filesOf(files, one.name)) })),
  }
  writeFileSync(join(dir, '.proof/proof.json'), proofBytes(isResealed ? resealed : forged.proof))
  writeFileSync(join(dir, 'manifest.json'), manifestBytes(makeManifest(old.name, old.version, tree())))
  return './forged'
}

const fault = async (work: () => unknown): Promise<SkillsEvalError> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof SkillsEvalError) return error
    throw error
  }
  throw new Error('it was taken')
}

const below = (dir: string): readonly string[] => readdirSync(dir, { recursive: true, encoding: 'utf8' })

describe('a pack with a proof', { timeout: 60_000 }, () => {
  test('is the same to the byte on another machine, on another day, for another user', async () => {
    const [one, two] = [author(), author()]
    two.write('home/.agent/config.json', '{"model": "mock", "permissions": {"deny": ["run_script"]}}')
    two.write('home/.agent/skills/mine/SKILL.md', '---\nname: mine\ndescription: Mine. Use it for me.\n---\n\nDo.\n')
    const packed = await one.pack()
    await packSkills(
      { paths: ['skills'], name: 'all', version: '1.0.0', output: 'p.zip', proof: { suites: [suite] } },
      { ...two.host, env: { PATH: process.env.PATH, USER: 'other' }, cores: 4, isCi: true },
    )
    const bytes = readFileSync(join(one.dir, 'p.zip'))
    expect(bytes.equals(readFileSync(join(two.dir, 'p.zip')))).toBe(true)
    for (const place of [one.dir, tmpdir()]) expect(bytes.includes(place)).toBe(false)
    expect(packed.proof).toEqual({
      suites: 1,
      cases: 5,
      passed: 5,
      skipped: 0,
      trials: 5,
      models: [
        {
          profile: 'claude',
          provider: 'anthropic',
          answered: ['claude-sonnet-5-5'],
          recorded: { first: '2026-11-21', last: '2026-11-21' },
        },
      ],
      tool: '0',
    })
  })

  test('says what it shows, is replayed to the same, and is no part of what an agent finds', async () => {
    const p = author()
    await p.pack()
    const user = workplace(tempFolder({}))
    const installed = await user.install(join(p.dir, 'p.zip'))
    expect(installed.proof).toMatchObject({ cases: 5, passed: 5 })
    expect(installed.notes).toEqual(['it is not signed'])
    expect(await user.verify()).toMatchObject({ verdict: 'unsigned' })
    const before = below(user.dir)
    expect(await user.prove('csv-analyzer')).toMatchObject({ verdict: 'equal', differences: [] })
    expect(await user.prove(join(p.dir, 'p.zip'))).toMatchObject({ verdict: 'equal', name: 'all' })
    expect(below(user.dir)).toEqual(before)
    const root = join(user.dir, '.agent/skills')
    const found = indexSkills([{ path: root, source: 'project' }], user.host.files)
    expect(found.diagnostics).toEqual([])
    expect(found.skills).toHaveLength(5)
    for (const skill of found.skills)
      expect(listResources(skill.dir, user.host.files)).toEqual(
        listResources(join(p.dir, 'skills', skill.name), user.host.files),
      )
    // Of the project, nothing is but the skills and the lock.
    expect(
      before.filter((path) => /proof|eval|recordings/.test(path) && !path.startsWith('home/.agent/proofs')),
    ).toEqual([])
    expect(existsSync(join(user.dir, 'home/.agent/proofs'))).toBe(true)
    for (const { name } of installed.skills) uninstallSkill({ name }, user.host)
    expect(below(join(user.dir, 'home/.agent/proofs')).filter((path) => path.endsWith('proof.json'))).toEqual([])
  })

  test('is refused where a recording is of other skills, and nothing is written', async () => {
    const p = author()
    p.edit('skills/changelog-writer/SKILL.md', 'description: ', 'description: Now, ')
    const error = await fault(() => p.pack())
    expect(error).toMatchObject({ code: 'no_proof' })
    expect(error.message).toContain('is stale')
    expect(existsSync(join(p.dir, 'p.zip'))).toBe(false)
  })

  test('is refused where a case fails, and where what stale recordings do is waved through', async () => {
    const p = author()
    p.edit(suite, 'bump: major', 'bump: minor')
    expect((await fault(() => p.pack())).message).toContain('ended as failed')
    p.edit(suite, 'bump: minor', 'bump: major')
    p.edit(suite, 'model: claude', 'model: claude\nstale: ignore')
    p.edit(suite, 'Which version comes next', 'What version comes next')
    expect((await fault(() => p.pack())).message).toContain('is stale')
  })

  test('is refused where a recording has a secret in it', async () => {
    const p = author()
    const [token] = [`ghp_${'a1B2c3D4e5F6'.repeat(3)}`]
    p.edit(cassette, '"text": "', `"text": "${token} `)
    const error = await fault(() => p.pack())
    expect(error.message).toContain(`${cassette}: a secret can be read in it`)
  })

  test('takes the suites of its skills alone, and refuses one that is asked for and is of others', async () => {
    const p = author()
    p.write('others/x/SKILL.md', '---\nname: x\ndescription: X. Use it for x.\n---\n\nDo.\n')
    p.write(
      'evals/x.eval.yaml',
      'name: x\nskills: [../others]\ncases:\n  - {id: a, input: x, mock: [{final_answer: y}], expected: {output: [{contains: y}]}}\n',
    )
    const packed = await p.pack([])
    expect(packed.left_out).toContainEqual({ path: 'evals/x.eval.yaml', why: expect.stringContaining('not packed: x') })
    expect((await fault(() => p.pack(['evals/x.eval.yaml'], 'q.zip'))).message).toContain('not packed: x')
  })
})

describe('a proof that was changed', { timeout: 60_000 }, () => {
  test('by one byte is found in the pack and where it is kept', async () => {
    const p = author()
    await p.pack()
    const zip = readFileSync(join(p.dir, 'p.zip'))
    const at = zip.indexOf('"passed":1,"status"')
    expect(at).toBeGreaterThan(0)
    zip[at + 9] = 0x32
    p.write('bad.zip', '')
    writeFileSync(join(p.dir, 'bad.zip'), zip)
    expect(await p.verify('./bad.zip')).toMatchObject({ verdict: 'tampered' })
    expect(await fault(() => p.install('./bad.zip'))).toMatchObject({ code: 'bad_pack' })
    await p.install('./p.zip')
    const kept = below(join(p.dir, 'home/.agent/proofs')).find((path) => path.endsWith(cassette)) ?? ''
    p.edit(`home/.agent/proofs/${kept}`, '"text": "', '"text": "!')
    expect(await p.verify('csv-analyzer')).toMatchObject({
      verdict: 'tampered',
      problem: expect.stringContaining(cassette),
    })
    expect(await p.prove('csv-analyzer')).toMatchObject({
      verdict: 'different',
      problem: expect.stringContaining(cassette),
    })
  })

  test.each([
    [
      'of other skills',
      'of other skills',
      (pack: Pack) => pack.write('csv-analyzer/SKILL.md', pack.read('csv-analyzer/SKILL.md').replace('# ', '# New ')),
    ],
    [
      'of another suite',
      'of other suites',
      (pack: Pack) => pack.write(`.proof/project/${suite}`, `${pack.read(`.proof/project/${suite}`)}\n# more\n`),
    ],
    [
      'of more trials than were recorded',
      'claims more',
      (pack: Pack) => {
        pack.proof = { ...pack.proof, cases: pack.proof.cases.map((one) => ({ ...one, trials: 2, passed: 2 })) }
      },
    ],
    [
      'of a case that passed and never ran',
      'claims more',
      (pack: Pack) => {
        pack.proof = { ...pack.proof, cases: pack.proof.cases.map((one) => ({ ...one, trials: 0, passed: 0 })) }
      },
    ],
    [
      'of a scripted case that passed and never ran',
      'claims more',
      (pack: Pack) => {
        const scripted = { profile: 'mock', provider: 'mock', answered: [], recorded: null }
        const [one] = pack.proof.cases
        if (one === undefined) return
        const more = { ...one, id: 'more', model: 'mock', trials: 3, passed: 0 }
        pack.proof = { ...pack.proof, models: [...pack.proof.models, scripted], cases: [...pack.proof.cases, more] }
      },
    ],
    [
      'of more trials that passed than there were',
      'claims more',
      (pack: Pack) => {
        pack.proof = { ...pack.proof, cases: pack.proof.cases.map((one) => ({ ...one, passed: one.trials + 1 })) }
      },
    ],
    [
      'of a suite that lies elsewhere',
      'a suite that is not with it',
      (pack: Pack) => {
        pack.proof = { ...pack.proof, suites: [...pack.proof.suites, '/etc/other.eval.yaml'] }
      },
    ],
    [
      'of a case that was not recorded',
      'claims more',
      (pack: Pack) => {
        const [one] = pack.proof.cases
        if (one) pack.proof = { ...pack.proof, cases: [...pack.proof.cases, { ...one, id: 'other' }] }
      },
    ],
    [
      'of a model that it does not name',
      'claims more',
      (pack: Pack) => {
        const [one] = pack.proof.cases
        if (one)
          pack.proof = {
            ...pack.proof,
            cases: [...pack.proof.cases, { ...one, model: 'x', status: 'skipped', trials: 0, passed: 0 }],
          }
      },
    ],
    [
      'of another model',
      'other models or dates',
      (pack: Pack) => {
        pack.proof = { ...pack.proof, models: pack.proof.models.map((one) => ({ ...one, answered: ['better'] })) }
      },
    ],
  ])('to be %s is told by verify, install and prove, though the digests fit', async (_, says, change) => {
    const p = author()
    await p.pack()
    const forged = await forge(p, change, false)
    expect(await p.verify(forged)).toMatchObject({ verdict: 'tampered', problem: expect.stringContaining(says) })
    expect(await p.prove(forged)).toMatchObject({ verdict: 'different', problem: expect.stringContaining(says) })
    const installed = await p.install(forged)
    expect(installed.proof).toEqual({ problem: expect.stringContaining(says) })
    expect(installed.notes.join()).toContain(says)
    expect(await p.prove('csv-analyzer')).toMatchObject({ verdict: 'different' })
    expect(await p.verify('csv-analyzer')).toMatchObject({ verdict: 'tampered' })
  })

  test('to say more than its recordings give is different when it is run', async () => {
    const p = author()
    await p.pack()
    const forged = await forge(p, (pack) =>
      pack.write(`.proof/project/${suite}`, pack.read(`.proof/project/${suite}`).replace('bump: major', 'bump: minor')),
    )
    expect(await p.verify(forged)).toMatchObject({ verdict: 'unsigned' })
    expect(await p.prove(forged)).toMatchObject({
      verdict: 'different',
      differences: [
        { case: 'recorded-changelog-writer/next-version on claude', now: expect.stringContaining('failed') },
      ],
    })
  })

  test('so that recordings answer other requests is stale, also where its configuration lets that pass', async () => {
    const p = author()
    await p.pack()
    const forged = await forge(p, (pack) => {
      pack.write(
        `.proof/project/${suite}`,
        pack.read(`.proof/project/${suite}`).replace('Which version', 'What version'),
      )
      pack.write('.proof/project/.agent/config.json', JSON.stringify({ ...config, stale: 'ignore', sandbox: 'off' }))
    })
    expect(await p.prove(forged)).toMatchObject({
      verdict: 'stale',
      differences: [{ now: expect.stringContaining('stale') }],
    })
  })

  test('to lay a skill outside of its project lays none', async () => {
    const p = author()
    await p.pack()
    const forged = await forge(p, (pack) => {
      pack.proof = { ...pack.proof, skills: pack.proof.skills.map((one) => ({ ...one, path: `../../../${one.name}` })) }
    })
    expect(await p.prove(forged)).toMatchObject({
      verdict: 'different',
      problem: expect.stringContaining('where none can be'),
    })
  })

  test('to hold a skill of its own installs none', async () => {
    const p = author()
    await p.pack()
    const forged = await forge(p, (pack) =>
      pack.write('.proof/project/skills/evil/SKILL.md', '---\nname: evil\ndescription: Evil. Use it.\n---\n\nDo.\n'),
    )
    const { skills } = await p.install(forged)
    expect(skills.map(({ name }) => name)).not.toContain('evil')
    expect(existsSync(join(p.dir, '.agent/skills/evil'))).toBe(false)
  })
})

describe('prove', { timeout: 60_000 }, () => {
  test('calls a proof stale where an installed skill was changed or is gone', async () => {
    const p = author()
    await p.pack()
    await p.install('./p.zip')
    p.write('.agent/skills/log-triage/extra.md', 'more')
    expect(await p.prove('csv-analyzer')).toMatchObject({
      verdict: 'stale',
      problem: expect.stringContaining('extra.md (added)'),
    })
    uninstallSkill({ name: 'log-triage', force: true }, p.host)
    expect(await p.prove('csv-analyzer')).toMatchObject({
      verdict: 'stale',
      problem: expect.stringContaining('not installed any more'),
    })
  })

  test('tells a pack without a proof from one whose proof is on another machine', async () => {
    const p = author()
    await packSkills({ paths: ['skills/csv-analyzer'], version: '1.0.0', output: 'plain.zip' }, p.host)
    await p.install('./plain.zip')
    expect(await fault(() => p.prove('csv-analyzer'))).toMatchObject({ code: 'no_proof' })
    await p.pack()
    const user = workplace(tempFolder({}))
    await user.install(join(p.dir, 'p.zip'))
    const elsewhere = hostIn(user.dir, tempFolder({}))
    const error = await fault(() => proveSkill({ what: 'csv-analyzer' }, elsewhere))
    expect(error).toMatchObject({ code: 'proof_gone' })
    expect((await verifySkills({}, elsewhere)).verdict).toBe('unsigned')
  })

  test('could not judge what a rule of this machine denied, names the rule, and says beforehand that scripts run', async () => {
    const scripted = 'mock: [{select_skills: [one]}, {run_script: {skill: one, path: scripts/s.sh}}, {final_answer: y}]'
    const dir = tempFolder({
      'skills/one/SKILL.md': '---\nname: one\ndescription: One. Use it for one.\n---\n\nRun scripts/s.sh.\n',
      'skills/one/scripts/s.sh': '#!/bin/sh\necho done > out.txt\n',
      'skills/two/SKILL.md': '---\nname: two\ndescription: Two. Use it for two.\n---\n\nDo.\n',
      'evals/one.eval.yaml': `name: one\nskills: [../skills]\ncases:\n  - {id: a, input: x, ${scripted}, expected: {files: [{path: out.txt, exists: true}]}}\n`,
    })
    const p = workplace(dir)
    const told: string[] = []
    const prove = () => proveSkill({ what: './p.zip', beforeScripts: () => void told.push('scripts') }, p.host)
    await p.pack([])
    expect(await prove()).toMatchObject({ verdict: 'equal' })
    expect(told).toEqual(['scripts'])
    p.write('.agent/config.json', '{"permissions": {"deny": ["run_script"]}}')
    expect(await prove()).toMatchObject({
      verdict: 'error',
      problem: expect.stringContaining('configuration: deny run_script'),
      hint: expect.stringContaining('permissions.deny'),
    })
  })

  test('runs graders only where that is asked, and never where a sandbox is required', async () => {
    const dir = tempFolder({
      'skills/one/SKILL.md': '---\nname: one\ndescription: One. Use it for one.\n---\n\nDo.\n',
      'evals/one.eval.yaml':
        'name: one\nskills: [../skills]\ncases:\n  - {id: a, input: x, mock: [{final_answer: y}], expected: {output: [{script: {run: graders/g.sh}}]}}\n',
    })
    const p = workplace(dir)
    const marker = join(dir, 'ran')
    p.write('evals/graders/g.sh', `#!/bin/sh\necho ran >> ${marker}\n`)
    chmodSync(join(dir, 'evals/graders/g.sh'), 0o755)
    await p.pack([])
    expect(readFileSync(marker, 'utf8')).toBe('ran\n')
    const error = await fault(() => p.prove('./p.zip'))
    expect(error).toMatchObject({ code: 'graders', message: expect.stringContaining('evals/graders/g.sh') })
    expect(readFileSync(marker, 'utf8')).toBe('ran\n')
    expect(await p.prove('./p.zip', true)).toMatchObject({ verdict: 'equal' })
    expect(readFileSync(marker, 'utf8')).toBe('ran\nran\n')
    p.write('.agent/config.json', '{"sandbox": "require"}')
    expect(await fault(() => p.prove('./p.zip', true))).toMatchObject({ code: 'graders' })
    expect(readFileSync(marker, 'utf8')).toBe('ran\nran\n')
  })
})
