import { basename, join, resolve, sep } from 'node:path'
import { parseSkillRef } from '../core/actions.ts'
import { type Arm, parseArmName } from '../core/arm.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { UsageError } from '../core/errors.ts'
import type { PlannedSuite, RunPlan } from '../core/plan.ts'
import type { SkillSource } from '../core/ports.ts'
import type { Skill, SkillIndex, SkillRoot } from '../core/skill.ts'
import { nearest } from '../lib/nearest.ts'
import { visibleLine } from '../lib/visible.ts'
import type { RunDeps, SuiteSkills } from '../runner/run-deps.ts'
import type { Config } from '../schema/config.ts'
import { indexSkills } from '../skills/index-skills.ts'
import type { ArmSkills } from '../suite/arm-case.ts'
import { type ArmPlan, armPlan } from '../suite/arm-plan.ts'
import type { Host } from './host.ts'
import type { Project } from './project.ts'
import { shownPath } from './project.ts'
import { configuredRoots, suiteRoots } from './skill-roots.ts'
import { skillsOfIndex } from './suite-skills.ts'

/** An arm and, of another version of the skills, the absolute folder that it lies in. */
export type FoundArm = { readonly arm: Arm; readonly dir?: string }

/** An arm of a run, ready to be run: its cases, and the skills that they see. */
export type OpenedArm = ArmPlan & {
  readonly skillsOf: RunDeps['skillsOf']
  /** All its skills, also those that the model is not shown. */
  skillsIn(suite: PlannedSuite): readonly Skill[]
  readonly diagnostics: readonly Diagnostic[]
}

/** What `--baseline` asks for. Throws a UsageError where it is no arm and no folder. */
export const findArm = (option: string, project: Project, host: Host): FoundArm => {
  const arm = parseArmName(option)
  if (arm !== undefined && arm.kind !== 'version') return { arm }
  const dir = resolve(host.cwd, option)
  if (host.files.stat(dir)?.kind !== 'dir') {
    throw new UsageError('no_baseline', `--baseline ${visibleLine(option)} is no folder of skills`, {
      hint:
        nearest(option, ['without_skills'], 1).length > 0
          ? 'Did you mean without_skills?'
          : 'It takes without_skills, without:NAME, or a folder with another version of the skills.',
    })
  }
  const shown = shownPath(project, dir)
  // Where it lies on this machine is nobody else's concern.
  return { arm: { kind: 'version', path: shown === dir ? basename(dir) : shown }, dir }
}

/** The arm that a recording names; undefined where its folder is not in the project. */
export const armOfRecording = (name: string, project: Project, host: Host): FoundArm | undefined => {
  const arm = parseArmName(name)
  if (arm?.kind !== 'version') return arm && { arm }
  const dir = join(project.dir, arm.path)
  return host.files.stat(dir)?.kind === 'dir' ? { arm, dir } : undefined
}

type World = {
  readonly project: Project
  readonly config: Config
  readonly plan: RunPlan
  readonly skillsOf: RunDeps['skillsOf']
}

/**
 * Plans the other arm of a run. Suites whose skills the arm does not change stay out of it. Throws a UsageError where that
 * is all of them, or no suite has the skill that is to be left out.
 */
export const openArm = ({ arm, dir }: FoundArm, { project, config, plan, skillsOf }: World, host: Host): OpenedArm => {
  const diagnostics: Diagnostic[] = []
  const inArm = new Map<PlannedSuite, { readonly suite: PlannedSuite; readonly skills: ArmSkills }>()
  const skillsInArm = new Map<PlannedSuite, InArm>()
  const known = new Map<string, InArm | undefined>()
  for (const suite of plan.suites) {
    const roots = suite.skills ? suiteRoots(suite.skills) : configuredRoots(project, config, host)
    const key = JSON.stringify([roots, ...(suite.distractors ? [suite.name] : [])])
    if (!known.has(key)) {
      const index = indexInArm(arm, dir, roots, host)
      diagnostics.push(...(index?.diagnostics ?? []))
      const added = index && arm.kind !== 'without_skills' ? distractorsOf(skillsOf(suite), index) : []
      known.set(key, index && { index: index.skills, skills: skillsOfIndex(index, config, host, added) })
    }
    const opened = known.get(key)
    if (opened === undefined) continue
    // The thresholds are for the run: nothing fails in an arm.
    const { thresholds: _, ...rest } = suite
    const armSuite: PlannedSuite = rest
    skillsInArm.set(armSuite, opened)
    inArm.set(suite, { suite: armSuite, skills: armSkills(arm, opened.skills, skillsOf(suite)) })
  }
  if (inArm.size === 0 && plan.suites.length > 0) throw nothingDiffers(arm, plan, skillsOf)
  const openedOf = (suite: PlannedSuite): InArm => {
    const opened = skillsInArm.get(suite)
    if (!opened) throw new Error(`suite ${suite.name} is not of this arm`)
    return opened
  }
  return {
    ...armPlan(plan, (suite) => inArm.get(suite)),
    diagnostics,
    skillsOf: (suite) => openedOf(suite).skills,
    skillsIn: (suite) => openedOf(suite).index,
  }
}

/** Those of the run itself: the arms differ in the skills that are compared. */
const distractorsOf = ({ source, distractors }: SuiteSkills, { skills }: SkillIndex): readonly Skill[] =>
  source.visible().filter(({ name }) => distractors?.has(name) && !skills.some((skill) => skill.name === name))

type InArm = { readonly index: readonly Skill[]; readonly skills: SuiteSkills }

const armSkills = (arm: Arm, skills: SuiteSkills, own: SuiteSkills): ArmSkills => ({
  lacksSkills: arm.kind !== 'version',
  isEmpty: skills.universe.length === 0,
  has: (name) => isIn(skills.source, name),
  had: (name) => isIn(own.source, name),
})

const isIn = (source: SkillSource, name: string): boolean => {
  const ref = parseSkillRef(name)
  return !('problem' in source.resolve(ref, 'model')) || !('problem' in source.resolve(ref, 'user'))
}

/** Undefined where it would be the index of the run itself. */
const indexInArm = (
  arm: Arm,
  dir: string | undefined,
  roots: readonly SkillRoot[],
  host: Host,
): SkillIndex | undefined => {
  const own = indexSkills(roots, host.files)
  switch (arm.kind) {
    case 'without_skills':
      return own.skills.length === 0 ? undefined : { skills: [], shadowed: [], diagnostics: [] }
    case 'without': {
      const skills = own.skills.filter(({ name }) => name !== arm.skill)
      const shadowed = own.shadowed.filter(({ skill }) => skill.name !== arm.skill)
      return skills.length === own.skills.length ? undefined : { skills, shadowed, diagnostics: [] }
    }
    case 'version': {
      const replaced = rootsWith(dir ?? '', own, roots, host)
      return replaced && indexSkills(replaced, host.files)
    }
  }
}

/**
 * The roots with another version of the skills in it: a folder of skills stands for each root that a skill of the same
 * name is taken from, one skill folder for that skill alone. Undefined where no name is the same.
 */
const rootsWith = (
  dir: string,
  own: SkillIndex,
  roots: readonly SkillRoot[],
  { files }: Host,
): readonly SkillRoot[] | undefined => {
  const others = indexSkills([{ path: dir, source: 'suite' }], files).skills
  const real = files.realPath(dir)
  const isOneSkill = others.some((skill) => skill.dir === real)
  const replaced: SkillRoot[] = []
  let isPlaced = false
  for (const root of roots) {
    const folder = files.realPath(root.path)
    const taken = own.skills.filter((skill) => folder !== undefined && isBelow(skill.dir, folder))
    const same = others.filter(({ name }) => taken.some((skill) => skill.name === name))
    const [first] = same
    if (first === undefined) {
      replaced.push(root)
      continue
    }
    const isSkillFolder = taken.some((skill) => skill.dir === folder)
    if (isOneSkill) replaced.push({ ...root, path: dir }, root)
    else if (isSkillFolder) replaced.push({ ...root, path: first.dir })
    else if (!isPlaced) replaced.push({ ...root, path: dir })
    isPlaced = true
  }
  return isPlaced ? replaced : undefined
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`)

const nothingDiffers = (arm: Arm, plan: RunPlan, skillsOf: RunDeps['skillsOf']): UsageError => {
  const names = [...new Set(plan.suites.flatMap((suite) => skillsOf(suite).universe))]
  switch (arm.kind) {
    case 'without_skills':
      return new UsageError('same_arms', 'no suite has skills: without them it would be the same run')
    case 'without': {
      const close = nearest(arm.skill, names)
      return new UsageError('no_skill', `no suite has a skill ${visibleLine(arm.skill)}`, {
        hint: close.length > 0 ? `Did you mean ${close.join(' or ')}?` : '`skills-eval skills list` shows all.',
      })
    }
    case 'version':
      return new UsageError('same_arms', `no skill in ${visibleLine(arm.path)} has the name of one of the suites`, {
        hint: 'It must be a folder of skill folders, or one skill folder.',
      })
  }
}
