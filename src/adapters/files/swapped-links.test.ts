import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FileError } from '../../core/errors.ts'
import { loadResource } from '../../skills/load-resource.ts'
import { skillIn } from '../../tools/tool.test-support.ts'
import { diskFiles } from './disk-files.ts'
import { folderWorkspace } from './folder-workspace.ts'
import { tempFolder } from './temp-folder.test-support.ts'

// A folder, a file and a folder of a skill become links to outside and back, as fast as a process can make them so.
const swapper = `
  const { renameSync, symlinkSync, rmSync, writeFileSync, readSync } = require('node:fs')
  const tries = (action) => { try { action() } catch {} }
  const swapFolder = (folder, outside) => {
    tries(() => renameSync(folder, folder + '.real'))
    tries(() => symlinkSync(outside, folder))
    for (let i = 0; i < Math.random() * 3000; i++);
    tries(() => rmSync(folder))
    tries(() => renameSync(folder + '.real', folder))
  }
  const swapFile = (file, outside) => {
    tries(() => symlinkSync(outside, file + '.link'))
    tries(() => renameSync(file + '.link', file))
    for (let i = 0; i < Math.random() * 3000; i++);
    tries(() => writeFileSync(file + '.new', 'inside', { flag: 'wx' }))
    tries(() => renameSync(file + '.new', file))
  }
  process.stdout.write('ready')
  for (;;) {
    swapFolder('root/dir', '../outside')
    swapFile('root/file.txt', '../outside/bait.txt')
    swapFolder('skill/references', '../outside')
  }
`

const treeOf = (folder: string): readonly (readonly [string, number, string])[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stats = lstatSync(join(folder, name))
      return [name, stats.mode, stats.isFile() ? readFileSync(join(folder, name), 'utf8') : '']
    })

const stopped = async (child: ChildProcess): Promise<void> => {
  if (child.signalCode !== null || child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

// Elsewhere the check is best effort.
test.runIf(process.platform === 'linux')(
  'links that are swapped in while they are used lead nothing outside',
  { timeout: 30_000 },
  async () => {
    const folder = tempFolder({
      'outside/bait.txt': 'BAIT',
      'outside/only-outside.txt': 'BAIT',
      'outside/sub/bait.txt': 'BAIT',
      'root/dir/bait.txt': 'inside',
      'root/dir/sub/bait.txt': 'inside',
      'root/file.txt': 'inside',
      'skill/SKILL.md': 'x',
      'skill/references/bait.txt': 'inside',
    })
    const before = treeOf(join(folder, 'outside'))
    const workspace = folderWorkspace(join(folder, 'root'))
    const skill = skillIn(join(folder, 'skill'))
    const files = diskFiles()
    const child = spawn(process.execPath, ['-e', swapper], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => stopped(child))
    await once(child.stdout, 'data')

    const seen = { done: 0, refused: 0 }
    const leaks = new Set<string>()
    const attempt = <T>(action: () => T, leaksIn: (result: T) => boolean, what: string): void => {
      try {
        if (leaksIn(action())) leaks.add(what)
        seen.done += 1
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        seen.refused += 1
      }
    }
    const isBait = ({ content }: { content: Uint8Array }) => Buffer.from(content).toString().includes('BAIT')
    const isOutside = (entries: readonly { path: string }[]) =>
      entries.some(({ path }) => path.includes('only-outside'))
    const never = () => false

    for (const end = performance.now() + 1500; performance.now() < end; ) {
      for (const path of ['dir/bait.txt', 'dir/sub/bait.txt', 'file.txt', 'dir/only-outside.txt']) {
        attempt(() => workspace.read(path, 99), isBait, `read ${path}`)
      }
      attempt(() => workspace.list('dir'), isOutside, 'list')
      attempt(() => workspace.files('.', 99), isOutside, 'files')
      attempt(
        () => workspace.stat('dir/only-outside.txt'),
        (entry) => entry !== undefined,
        'stat',
      )
      for (const path of ['dir/bait.txt', 'dir/made.txt', 'dir/new/made.txt', 'dir/sub/bait.txt', 'file.txt']) {
        attempt(() => workspace.write(path, 'inside'), never, 'write')
      }
      for (const path of ['dir/only-outside.txt', 'dir/made.txt', 'dir/new/made.txt', 'dir/sub/bait.txt', 'file.txt']) {
        attempt(() => workspace.remove(path), never, 'remove')
      }
      const resource = await loadResource(skill, { path: 'references/bait.txt' }, files)
      if ('text' in resource && resource.text.includes('BAIT')) leaks.add('resource')
    }
    await stopped(child)

    expect({ leaks: [...leaks], outside: treeOf(join(folder, 'outside')) }).toEqual({ leaks: [], outside: before })
    // Both happened, so the swaps fell between.
    expect([seen.done > 100, seen.refused > 100]).toEqual([true, true])
  },
)
