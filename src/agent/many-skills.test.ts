import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { diskFiles } from '../adapters/files/disk-files.ts'
import { tempFolder } from '../adapters/files/temp-folder.test-support.ts'
import { controlledSkills } from '../skills/controlled-skills.ts'
import { indexSkills } from '../skills/index-skills.ts'
import { skillSource } from '../skills/skill-source.ts'
import { actionLines, runInMemory, skillText } from './agent.test-support.ts'

const { openSync, readFileSync } = fs
afterEach(() => {
  Object.assign(fs, { openSync, readFileSync })
  syncBuiltinESMExports()
})

/** Every path that is opened on the real disk from now on. */
const watchOpens = (): string[] => {
  const opened: string[] = []
  Object.assign(fs, {
    openSync: (...args: Parameters<typeof openSync>) => {
      opened.push(String(args[0]))
      return openSync(...args)
    },
    readFileSync: (...args: Parameters<typeof readFileSync>) => {
      if (typeof args[0] === 'string') opened.push(args[0])
      return readFileSync(...args)
    },
  })
  syncBuiltinESMExports()
  return opened
}

test('of 200 skills that are turned off and on and read anew, a body is opened only where it is selected', async () => {
  const root = tempFolder(
    Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [
        [`skill-${n}/SKILL.md`, skillText(`skill-${n}`, '', 'x\n'.repeat(4000))],
        [`skill-${n}/references/a.md`, 'A.\n'],
      ]).flat(),
    ),
  )
  const files = diskFiles()
  const load = () =>
    skillSource(indexSkills([{ path: root, source: 'project' }], files), files, {
      maxBodyLines: 5000,
      overLong: 'warn',
    })
  const opened = watchOpens()
  const countOf = (n: number) => opened.filter((path) => path === join(root, `skill-${n}/SKILL.md`)).length
  const skills = controlledSkills(load)
  expect(opened).toHaveLength(200)

  fs.writeFileSync(join(root, 'skill-9/SKILL.md'), skillText('skill-9').replace('Use for', 'Now for'))
  opened.length = 0
  const outcome = await runInMemory(
    [
      { disable_skill: 'skill-7' },
      { select_skills: ['skill-7', 'skill-8'] },
      { search_skills: 'skill' },
      { final_answer: 'One.' },
      { enable_skill: 'skill-7' },
      { select_skills: 'skill-7' },
      { final_answer: 'Two.' },
    ],
    { skills, inputs: ['First.', 'Second.'] },
  )
  expect(outcome.stop).toEqual({ kind: 'answered' })
  expect(actionLines(outcome)[1]).toContain('skill-7 is disabled')
  // Once for the index that is read anew, once more for each body, and once to see whether a loaded one has changed.
  expect([7, 8, 9, 10].map(countOf)).toEqual([2, 3, 1, 1])
  expect(opened.filter((path) => path.startsWith(root))).toHaveLength(203)
  expect(outcome.trajectory.flatMap((event) => (event.type === 'index' ? [event.news] : []))).toEqual([
    expect.stringMatching(/Described otherwise now:\n<skill>\n<name>\nskill-9/),
  ])
})
