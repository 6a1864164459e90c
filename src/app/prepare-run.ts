import { resolve } from 'node:path'
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts'
import { InvalidInputError } from '../core/errors.ts'
import type { PlannedSuite, RunPlan } from '../core/plan.ts'
import type { SkillIndex } from '../core/skill.ts'
import type { RunDeps } from '../runner/run-deps.ts'
import type { Config } from '../schema/config.ts'
import { planRun } from '../suite/plan-run.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { type LoadedSuite, loadSuites } from './load-suites.ts'
import { defaultModel, findProfile, judgeProblem } from './profiles.ts'
import { findProject, type Project } from './project.ts'
import type { RunOptions } from './run-options.ts'
import { configuredRoots } from './skill-roots.ts'
import { indexForSuites } from './suite-skills.ts'
import { unknownModels } from './unknown-models.ts'

/** What is asked of suites before anything runs. */
export type Selection = Pick<RunOptions, 'paths' | 'config' | 'filter' | 'tags' | 'skills' | 'models' | 'trials'>

export type PreparedRun = {
  readonly project: Project
  readonly config: Config
  readonly suites: readonly LoadedSuite[]
  readonly plan: RunPlan
  readonly skillsOf: RunDeps['skillsOf']
  /** All that is known of the skills of a suite of the plan. */
  readonly indexOf: (suite: PlannedSuite) => SkillIndex
  /** Warnings and notes, of suites and of skills. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads configuration, suites and skills. Throws an InvalidInputError with every mistake, or a UsageError. */
export const prepareRun = async (selection: Selection, host: Host): Promise<PreparedRun> => {
  const project = findProject(host.cwd, host.home, host.files)
  const configFile = selection.config === undefined ? undefined : resolve(host.cwd, selection.config)
  const config = loadConfig(project, host, configFile)
  const loaded = await loadSuites(selection.paths, project, host, (judge) => judgeProblem(judge, config))
  if (hasErrors(loaded.diagnostics)) throw new InvalidInputError(loaded.diagnostics)
  const planned = await planRun(loaded.suites, {
    files: host.files,
    ...(selection.filter ? { filter: selection.filter } : {}),
    ...(selection.tags ? { tags: selection.tags } : {}),
    ...(selection.skills ? { skills: selection.skills } : {}),
    ...(selection.models ? { models: selection.models } : {}),
    ...(selection.trials === undefined ? {} : { trials: selection.trials }),
    defaultModel: defaultModel(config),
    ci: host.isCi,
  })
  const diagnostics = [...loaded.diagnostics, ...planned.diagnostics]
  if (hasErrors(diagnostics)) throw new InvalidInputError(diagnostics)
  if (selection.models === undefined) {
    const names = new Set(planned.plan.suites.map(({ name }) => name))
    const unknown = await unknownModels(
      loaded.suites.filter(({ suite }) => names.has(suite.name)),
      config,
      host,
    )
    if (unknown.length > 0) throw new InvalidInputError(unknown)
  }
  for (const name of new Set(planned.plan.suites.flatMap((suite) => suite.models))) findProfile(name, config)
  const skills = indexForSuites(planned.plan.suites, configuredRoots(project, config, host), config, host)
  return {
    project,
    config,
    suites: loaded.suites,
    plan: planned.plan,
    skillsOf: skills.skillsOf,
    indexOf: skills.indexOf,
    diagnostics: [...diagnostics, ...skills.diagnostics],
  }
}
