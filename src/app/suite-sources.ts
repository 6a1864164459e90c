import { join } from 'node:path'
import type { RunPlan } from '../core/plan.ts'
import type { Config } from '../schema/config.ts'
import { checksOf } from '../suite/case-checks.ts'
import { rowFilesOf } from '../suite/expand-cases.ts'
import { isRecord, recordOr } from '../suite/record.ts'
import { resolvePath } from '../suite/resolve-path.ts'
import { recordingsFolder } from './cassettes.ts'
import type { Host } from './host.ts'
import type { LoadedSuite } from './load-suites.ts'
import { findProfile } from './profiles.ts'
import type { Project } from './project.ts'
import { type RecordingChoice, recordModeOf } from './recorded-models.ts'
import { configuredRoots } from './skill-roots.ts'

/** The absolute path of a suite's file, and of all files and folders whose contents it is run on. */
export type SuiteSources = { readonly file: string; readonly name: string; readonly sources: readonly string[] }

/** What each suite of a plan depends on, but for the configuration, on which all do. */
export const suiteSources = (
  prepared: {
    readonly project: Project
    readonly config: Config
    readonly suites: readonly LoadedSuite[]
    readonly plan: RunPlan
  },
  choice: RecordingChoice,
  host: Host,
): readonly SuiteSources[] => {
  const { project, config, plan } = prepared
  const laid = new Map<string, Set<string>>()
  for (const { suite, evalCase } of plan.cases()) {
    const paths = laid.get(suite.name) ?? new Set()
    laid.set(suite.name, paths)
    for (const source of Object.values(evalCase.files ?? {})) if (typeof source === 'string') paths.add(source)
    for (const { check } of checksOf(recordOr(evalCase.expected))) {
      if (isRecord(check.script) && typeof check.script.run === 'string') paths.add(check.script.run)
    }
  }
  const roots = configuredRoots(project, config, host).map(({ path }) => path)
  const planned = new Map(plan.suites.map((suite) => [suite.name, suite]))
  return prepared.suites.map(({ suite, path, dir }) => {
    const models = planned.get(suite.name)?.models ?? []
    // What a run writes itself is no change.
    const isReplayed = models.every((name) => recordModeOf(findProfile(name, config), choice, host) === 'replay')
    return {
      file: join(dir, path.slice(path.lastIndexOf('/') + 1)),
      name: suite.name,
      sources: [
        ...(suite.skills?.map((root) => resolvePath(dir, root)) ?? roots),
        ...rowFilesOf([{ suite, dir }]),
        ...schemaFiles(suite.cases, dir),
        ...(laid.get(suite.name) ?? []),
        ...(isReplayed ? [join(recordingsFolder(project, config), suite.name)] : []),
      ],
    }
  })
}

/** JSON Schemas that checks name by their path. */
const schemaFiles = (cases: LoadedSuite['suite']['cases'], dir: string): readonly string[] =>
  cases.flatMap((one) =>
    checksOf(recordOr(recordOr(one.kind === 'case' ? one.case : one.template).expected)).flatMap(({ check }) =>
      typeof check.json_schema === 'string' ? [resolvePath(dir, check.json_schema)] : [],
    ),
  )
