import { dirname, join } from 'node:path'
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
import { treeDigest } from './tree-digest.ts'

export type DigestWorld = {
  readonly project: Project
  readonly config: Config
  readonly found: FoundArm
  readonly arm: OpenedArm
  readonly choice: RecordingChoice
  readonly seed: number
  readonly host: Host
}

/**
 * The digest of all that a baseline comes from: its cases, their fixtures and graders, the skills of the arm with all
 * their files, the configuration, trials and seed, the recordings that are replayed, and our own version. Undefined where
 * a recording is to be made: that is asked for, whatever is known already.
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
  const contents = boundedCache<string, string>(1000)
  const contentOf = (path: string) => contents.get(path, () => treeDigest(path, host.files))
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
      distractors,
      normalize,
      stale,
      arm.skillsIn(suite).map((skill) => [skill.name, skill.source, contentOf(skill.dir)]),
    ])
  }
  const recordings = recordingsFolder(project, config)
  for (const planned of arm.plan.cases()) {
    const recording = join(recordings, cassettePath(nameOf(planned, choice)))
    add([...identityOf(planned), filesOf(planned).map(contentOf), contentOf(recording)])
  }
  return digest
}

/** Where a case stands and what people are told of it changes no answer. */
const identityOf = ({ suite, evalCase, model, trials }: PlannedCase): readonly unknown[] => {
  const { line: _, description: __, tags: ___, ...asked } = evalCase
  return [suite.name, model, trials, asked]
}

/** What a case takes from the disk. A grader may need what lies beside it. */
const filesOf = ({ evalCase: { files = {}, expected = {} } }: PlannedCase): readonly string[] => [
  ...Object.values(files).flatMap((source) => (typeof source === 'string' ? [source] : [])),
  ...checksOf(expected).flatMap(({ check: { script } }) => {
    const { run } = (script ?? {}) as { readonly run?: unknown }
    return typeof run === 'string' ? [dirname(run)] : []
  }),
]
