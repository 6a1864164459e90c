import { basename, dirname, join, resolve } from 'node:path'
import { cassettePath } from '../cassette/cassette-file.ts'
import { armName } from '../core/arm.ts'
import type { PlannedCase } from '../core/plan.ts'
import { boundedCache } from '../lib/bounded-cache.ts'
import { canonicalJson, sha256 } from '../lib/hash.ts'
import type { Config } from '../schema/config.ts'
import { checksOf } from '../suite/case-checks.ts'
import type { FoundArm, OpenedArm } from './arm-skills.ts'
import { recordingsFolder } from './cassettes.ts'
import type { Host } from './host.ts'
import { findProfile, isProfile, judgeOf } from './profiles.ts'
import type { Project } from './project.ts'
import { nameOf, type RecordingChoice, recordModeOf } from './recorded-models.ts'
import { fileDigest, treeDigest } from './tree-digest.ts'

export type DigestWorld = {
  readonly project: Project
  readonly config: Config
  readonly found: FoundArm
  readonly arm: Pick<OpenedArm, 'plan' | 'skillsIn'>
  readonly choice: RecordingChoice
  readonly seed: number
  readonly host: Pick<Host, 'version' | 'isCi' | 'files'>
}

/**
 * The digest of all that a baseline comes from: its cases, their fixtures and graders, the skills of the arm with all
 * their files, the configuration, trials and seed, the recordings that are replayed, and our own version. Undefined where
 * a recording is to be made: that is asked for, whatever is known already; and where there is too much to be read.
 */
export const baselineDigest = ({
  project,
  config,
  found,
  arm,
  choice,
  seed,
  host,
}: DigestWorld): string | undefined => {
  const judges = arm.plan.suites.map(judgeOf).filter((name) => isProfile(name, config))
  const models = [...new Set([...arm.plan.suites.flatMap((suite) => suite.models), ...judges])]
  const modes = models.map((name) => [name, recordModeOf(findProfile(name, config), choice, host)] as const)
  if (modes.some(([, mode]) => mode !== 'replay' && mode !== 'off')) return undefined
  const recordings = recordingsFolder(project, config)
  const reports = resolve(project.dir, config.reports ?? 'reports')
  const isOurs = (path: string) => path === reports || path === recordings || neverRead.has(basename(path))
  const contents = boundedCache<string, string | undefined>(1000)
  let isKnown = true
  const known = (key: string, make: () => string | undefined) => {
    const content = contents.get(key, make)
    if (content === undefined) isKnown = false
    return content
  }
  const contentOf = (path: string) => known(path, () => treeDigest(path, host.files))
  const graderOf = (path: string) => [
    known(`file ${path}`, () => fileDigest(path, host.files)),
    known(`beside ${dirname(path)}`, () => treeDigest(dirname(path), host.files, isOurs)),
  ]
  const { allowStale, trustSuites = false } = choice
  let digest = sha256(canonicalJson([host.version, armName(found.arm), config, modes, seed, allowStale, trustSuites]))
  const add = (part: unknown) => {
    digest = sha256(`${digest}${canonicalJson(part)}`)
  }
  for (const suite of arm.plan.suites) {
    const { name, models: on, distractors, normalize, stale } = suite
    add([
      name,
      on,
      judgeOf(suite),
      distractors,
      normalize,
      stale,
      arm.skillsIn(suite).map((skill) => [skill.name, skill.source, contentOf(skill.dir)]),
    ])
  }
  for (const planned of arm.plan.cases()) {
    const recording = join(recordings, cassettePath(nameOf(planned, choice)))
    add([
      ...identityOf(planned),
      fixturesOf(planned).map(contentOf),
      gradersOf(planned).map(graderOf),
      contentOf(recording),
    ])
    if (!isKnown) return undefined
  }
  return isKnown ? digest : undefined
}

/** What no grader is written in, and what may hold more than can be read. */
const neverRead: ReadonlySet<string> = new Set(['node_modules', '.git'])

/** Where a case stands and what people are told of it changes no answer. */
const identityOf = ({ suite, evalCase, model, trials }: PlannedCase): readonly unknown[] => {
  const { line: _, description: __, tags: ___, ...asked } = evalCase
  return [suite.name, model, trials, asked]
}

const fixturesOf = ({ evalCase: { files = {} } }: PlannedCase): readonly string[] =>
  Object.values(files).flatMap((source) => (typeof source === 'string' ? [source] : []))

/** The scripts that judge a case. They may need what lies beside them. */
const gradersOf = ({ evalCase: { expected = {} } }: PlannedCase): readonly string[] =>
  checksOf(expected).flatMap(({ check: { script } }) => {
    const { run } = (script ?? {}) as { readonly run?: unknown }
    return typeof run === 'string' ? [run] : []
  })
