import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../../core/ports.contract.test-support.ts'
import { folderWorkspace } from './folder-workspace.ts'
import { tempFolder } from './temp-folder.test-support.ts'

test('is the folder as it is', () => {
  const folder = tempFolder({ 'a.txt': 'alpha', 'dir/b.txt': 'beta' })
  const workspace = folderWorkspace(folder)
  expect(workspace.stat('a.txt')).toEqual({ path: 'a.txt', kind: 'file', size: 5 })
  expect(workspace.files('.', 10).map((file) => file.path)).toEqual(['a.txt', 'dir/b.txt'])
  expect(workspace.list('dir')).toEqual([{ path: 'dir/b.txt', kind: 'file', size: 4 }])
  expect([workspace.root(), [...workspace.initial()]]).toEqual([folder, []])
})

test('changes what it is told to change, and nothing outside', () => {
  const folder = tempFolder({ 'own/a.txt': 'alpha', 'secret.txt': 'secret' })
  symlinkSync('..', join(folder, 'own/up'))
  const workspace = folderWorkspace(join(folder, 'own'))
  workspace.write('new/c.txt', 'gamma')
  workspace.remove('a.txt')
  expect(codeOf(() => workspace.write('up/secret.txt', 'x'))).toBe('outside_workspace')
  expect(Buffer.from(workspace.read('new/c.txt', 10).content).toString()).toBe('gamma')
  expect(existsSync(join(folder, 'own/a.txt'))).toBe(false)
  expect(readFileSync(join(folder, 'secret.txt'), 'utf8')).toBe('secret')
})

test('is there when we are done with it', async () => {
  const folder = tempFolder({ 'a.txt': 'alpha' })
  await folderWorkspace(folder).dispose()
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('alpha')
})

test('must be there', () => {
  expect(codeOf(() => folderWorkspace(join(tempFolder(), 'nope')))).toBe('file_missing')
})

describe('the rules by which an agent works', () => {
  const ownRules = {
    '.agent/config.json': '{}',
    '.agents/skills/x/SKILL.md': 'x',
    '.claude/settings.json': '{}',
    '.git/config': '[core]',
    '.git/hooks/pre-commit': 'hook',
    'sub/.git': 'gitdir: elsewhere',
    'skills/x/SKILL.md': 'x',
    'rules.json': '{}',
    'packs/y/SKILL.md': 'y',
    linked: { link: 'packs' },
  }
  const paths = Object.keys(ownRules)
  const open = () => {
    const folder = tempFolder(ownRules)
    return {
      folder,
      workspace: folderWorkspace(
        folder,
        ['skills', 'rules.json', 'linked'].map((name) => join(folder, name)),
      ),
    }
  }

  test.each([
    ...paths,
    '.agent/policy.json',
    '.agent',
    './.agent//config.json',
    '.AGENT/config.json',
    '.Git/hooks/pre-push',
    '.git /config',
    '.git./config',
    '.g\u200cit/config',
    '.git::$INDEX_ALLOCATION/config',
    'GIT~1/config',
    'claude~1/settings.json',
    '\uff0egit/config',
    'deep/down/.git/hooks/x',
    'skills/new/SKILL.md',
    'packs/new/SKILL.md',
  ])('are neither written nor deleted at %s', (path) => {
    const { folder, workspace } = open()
    const before = readdirSync(folder, { recursive: true })
    expect([codeOf(() => workspace.write(path, '{}')), codeOf(() => workspace.remove(path))]).toEqual([
      'protected',
      'protected',
    ])
    expect(readdirSync(folder, { recursive: true })).toEqual(before)
  })

  test('may be read', () => {
    const { workspace } = open()
    expect(paths.filter((path) => path !== 'linked').map((path) => workspace.read(path, 9).bytes > 0)).not.toContain(
      false,
    )
  })

  test('are not changed through links, nor is what only looks like them', () => {
    const { folder, workspace } = open()
    symlinkSync('.agent', join(folder, 'settings'))
    symlinkSync('.agent/config.json', join(folder, 'config.json'))
    expect([
      codeOf(() => workspace.write('settings/config.json', 'x')),
      codeOf(() => workspace.remove('settings/config.json')),
      codeOf(() => workspace.write('config.json', 'x')),
    ]).toEqual(['outside_workspace', 'outside_workspace', 'outside_workspace'])
    workspace.remove('config.json')
    for (const path of ['.gitignore', '.github/x.yml', 'agent/x', 'git/x', '.agent.md', 'skills-new/x', 'gitx~1']) {
      workspace.write(path, 'x')
      workspace.remove(path)
    }
    expect(readFileSync(join(folder, '.agent/config.json'), 'utf8')).toBe('{}')
  })

  test('are refused in words', () => {
    const { workspace } = open()
    expect(() => workspace.write('.GIT/config', 'x')).toThrow(
      '.GIT/config: what is in .GIT may be read, not written or deleted by an agent',
    )
    expect(() => workspace.remove('rules.json')).toThrow(
      'rules.json: the skills and the configuration may be read, not written or deleted by an agent',
    )
  })
})
