import { dirname, join } from 'node:path'
import { cassettePath } from '../cassette/cassette-file.ts'
import { armName } from '../core/arm.ts'
import { FileError } from '../core/errors.ts'
import type { PlannedCase } from '../core/plan.ts'
import type { Files } from '../core/ports.ts'
import { canonicalJson, sha256 } from '../lib/hash.ts'
import type { Config } from '../schema/config.ts'
import { checksOf } from '../suite/case-checks.ts'
import type { FoundArm, OpenedArm } from './arm-skills.ts'
import { recordingsFolder } from './cassettes.ts'
import type { Host } from './host.ts'
import { findProfile } from './profiles.ts'
import type { Project } from './project.ts'
import { nameOf, type RecordingChoice, recordModeOf } from './recorded-models.ts'

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
  const models = [...new Set(arm.plan.suites.flatMap((suite) => suite.models))]
  const modes = models.map((name) => [name, recordModeOf(findProfile(name, config), choice, host)] as const)
  if (modes.some(([, mode]) => mode !== 'replay' && mode !== 'off')) return undefined
  const replayed = new Set(modes.flatMap(([name, mode]) => (mode === 'replay' ? [name] : [])))
  const trees = fileTrees(host.files)
  const { allowStale, trustSuites = false } = choice
  let digest = sha256(canonicalJson([host.version, armName(found.arm), config, modes, seed, allowStale, trustSuites]))
  const add = (part: unknown) => {
    digest = sha256(`${digest}${canonicalJson(part)}`)
  }
  for (const suite of arm.plan.suites) {
    const { name, models: on, normalize, stale } = suite
    add([
      name,
      on,
      normalize,
      stale,
      arm.indexOf(suite).map((skill) => [skill.name, skill.source, trees.digest(skill.dir)]),
    ])
  }
  const recordings = recordingsFolder(project, config)
  for (const planned of arm.plan.cases()) {
    const recording = join(recordings, cassettePath(nameOf(planned, choice)))
    add([
      ...identityOf(planned),
      filesOf(planned).map(trees.digest),
      replayed.has(planned.model) ? trees.digest(recording) : null,
    ])
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

const MAX_BYTES = 1024 * 1024 * 1024

/** Digests of files and folders, each taken once. No link to a folder is followed. */
const fileTrees = (files: Files): { digest(path: string): string } => {
  const known = new Map<string, string>()
  const treeOf = (path: string): unknown => {
    const kind = files.stat(path)?.kind
    if (kind === 'file') return bytesOf(path)
    if (kind !== 'dir') return null
    return files.list(path).map(({ name, kind: of, isLink }) => {
      const child = join(path, name)
      return [name, of === 'dir' && isLink ? (files.realPath(child) ?? null) : treeOf(child)]
    })
  }
  const bytesOf = (path: string): string => {
    try {
      return sha256(files.readBytes(path, MAX_BYTES))
    } catch (error) {
      if (error instanceof FileError) return error.message
      throw error
    }
  }
  return {
    digest: (path) => {
      const found = known.get(path) ?? sha256(canonicalJson(treeOf(path)))
      known.set(path, found)
      return found
    },
  }
}
