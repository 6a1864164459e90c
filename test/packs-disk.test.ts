import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project, skill } from './support/cli.ts'

/** A small disk of its own; undefined where this user, or this system, can't have one. */
const smallDisk = (dir: string) => {
  const place = join(dir, 'disk')
  mkdirSync(place)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', place]).status !== 0) return undefined
  return { place, [Symbol.dispose]: () => void execFileSync('umount', ['-l', place]) }
}

const names = Array.from({ length: 12 }, (_, i) => `s${i}`)
const version = (n: number) =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`v${n}/${name}/SKILL.md`, skill(name, `Version ${n}. Use it.`)],
      [`v${n}/${name}/data.txt`, `${n}`.repeat(5000)],
    ]),
  )

test('an install on a full disk leaves the skills as they were, and the next one goes on', {
  timeout: 300_000,
}, (t) => {
  using p = project({ ...version(1), ...version(2) })
  using small = smallDisk(p.dir)
  const disk = small?.place
  if (disk === undefined) return t.skip('only who may mount a small disk can fill one')
  for (const n of [1, 2])
    expect(p.cli(['skills', 'pack', `v${n}`, '--name', 'all', '--version', `${n}.0.0`]).code).toBe(0)
  mkdirSync(join(disk, '.agent'))
  writeFileSync(join(disk, '.agent/config.json'), '{}')
  const install = (n: number) => p.cli(['skills', 'install', join(p.dir, `all-${n}.0.0.zip`), '--force', '-C', disk])
  const root = join(disk, '.agent/skills')
  const texts = () =>
    names.map((name) => readFileSync(join(root, name, 'SKILL.md'), 'utf8').match(/Version \d|mine/)?.[0])
  const free = () => {
    const { bavail, bsize } = statfsSync(disk)
    return bavail * bsize
  }
  const first = install(1)
  expect(first.code, first.err).toBe(0)
  const before = free()
  install(2)
  install(1)
  writeFileSync(join(root, 's3/SKILL.md'), 'mine')
  // Around what it takes: where it ends midway, and where it just about has room.
  const need = 12 * 4 * 4096
  let ends = ''
  for (let room = need / 3; room < before && !ends.includes('done'); room += need / 8) {
    writeFileSync(join(disk, 'fill'), Buffer.alloc(Math.max(0, free() - room)))
    const old = texts()
    const { code, err } = install(2)
    if (code === 0) {
      ends += 'done '
      expect(texts()).toEqual(names.map(() => 'Version 2'))
    } else {
      ends += 'full '
      expect(err).toMatch(/the disk is full/)
      expect(texts()).toEqual(old)
      expect(readdirSync(join(disk, '.agent')).sort()).toEqual(['config.json', 'skills'])
    }
    rmSync(join(disk, 'fill'))
  }
  expect(ends).toMatch(/^(full )+done $/)
  expect(readFileSync(join(disk, '.agent/.skills.backups/s3-1/SKILL.md'), 'utf8')).toBe('mine')
  expect(p.cli(['skills', 'verify', '--accept-unsigned', '-C', disk]).code).toBe(0)
})
