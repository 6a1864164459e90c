import { join, relative, sep } from 'node:path'
import { cassettePath } from '../cassette/cassette-file.ts'
import type { PlannedCase, PlannedSuite } from '../core/plan.ts'
import type { Files } from '../core/ports.ts'
import type { SkillIndex } from '../core/skill.ts'
import { boundedCache } from '../lib/bounded-cache.ts'
import { sha256 } from '../lib/hash.ts'
import type { Config } from '../schema/config.ts'
import type { Fixture } from '../schema/suite.ts'
import { skillFiles } from '../skills/skill-files.ts'
import { mapChecks } from '../suite/case-checks.ts'
import { isRecord, type JsonRecord, recordOr } from '../suite/record.ts'
import { recordingsFolder } from './cassettes.ts'
import type { Host } from './host.ts'
import { findProfile } from './profiles.ts'
import type { Project } from './project.ts'
import { type RecordingChoice, recordModeOf } from './recorded-models.ts'
import { fileDigest, treeDigest } from './tree-digest.ts'

export type CaseInputs = (planned: PlannedCase) => string

/**
 * A short digest of all that decides how a trial of a case may end: the case, its suite, its model profile, the
 * configuration, the contents of skills, fixtures, graders and, in a replay, of its recording. What only decides how
 * trials are counted or shown (`tags`, `trials`, `pass_threshold` …) is left out, so that it may change. It is the same
 * on another machine with the same files and the same version of skills-eval.
 */
export const caseInputs = (about: {
  readonly project: Project
  readonly config: Config
  readonly indexOf: (suite: PlannedSuite) => SkillIndex
  readonly choice: RecordingChoice
  readonly host: Host
}): CaseInputs => {
  const { project, config, choice, host } = about
  const { files } = host
  const relativePath = (path: string) => relative(project.dir, path).split(sep).join('/')
  const contents = boundedCache<string, string>(1000)
  const contentOf = (path: string) => contents.get(path, () => treeDigest(path, files))
  const run = sha256(JSON.stringify([host.version, decisive(config), choice.allowStale, choice.trustSuites ?? false]))
  const skills = new Map<SkillIndex, string>()
  const suites = new Map<PlannedSuite, string>()
  const profiles = new Map<string, { readonly isReplay: boolean; readonly digest: string }>()
  const known = new WeakMap<PlannedCase, string>()

  const skillsOf = (index: SkillIndex): string => {
    const digest = skills.get(index) ?? skillsDigest(index, files)
    skills.set(index, digest)
    return digest
  }
  const suiteOf = (suite: PlannedSuite): string => {
    const { name, path, distractors, normalize, stale } = suite
    const digest =
      suites.get(suite) ??
      sha256(JSON.stringify([name, path, distractors, normalize, stale, skillsOf(about.indexOf(suite))]))
    suites.set(suite, digest)
    return digest
  }
  const profileOf = (name: string) => {
    const profile = findProfile(name, config)
    const mode = recordModeOf(profile, choice, host)
    const made = profiles.get(name) ?? {
      isReplay: mode === 'replay',
      digest: sha256(JSON.stringify([name, mode, profile])),
    }
    profiles.set(name, made)
    return made
  }
  const placeCheck = (check: JsonRecord): JsonRecord => {
    const { script } = check
    if (!isRecord(script) || typeof script.run !== 'string') return check
    return { ...check, script: { ...script, run: [relativePath(script.run), contentOf(script.run)] } }
  }
  const laid = (sources: Readonly<Record<string, Fixture>>) =>
    Object.entries(sources).map(([to, source]) => [to, typeof source === 'string' ? contentOf(source) : source])
  const recordingOf = ({ suite, evalCase, model }: PlannedCase): string =>
    fileDigest(
      join(recordingsFolder(project, config), cassettePath({ suite: suite.name, case: evalCase.id, profile: model })),
      files,
    )

  const digestOf = (planned: PlannedCase): string => {
    const { suite, evalCase, model, trials: _trials, at: _at, adaptive: _adaptive, place: _place, ...others } = planned
    const { isReplay, digest } = profileOf(model)
    const { files: sources, expected, ...rest } = evalCase
    const content = {
      ...without(rest, countedOnly),
      ...(sources === undefined ? {} : { files: laid(sources) }),
      ...(expected === undefined ? {} : { expected: mapChecks(recordOr(expected), placeCheck) }),
    }
    const parts = [run, suiteOf(suite), digest, others, content, isReplay ? recordingOf(planned) : null]
    return sha256(JSON.stringify(parts)).slice(0, 16)
  }

  return (planned) => {
    const digest = known.get(planned) ?? digestOf(planned)
    known.set(planned, digest)
    return digest
  }
}

/** What is said of a case without bearing on how one of its trials ends. */
const countedOnly = [
  'description',
  'tags',
  'line',
  'trials',
  'adaptive',
  'pass_threshold',
  'skip',
  'only',
  'xfail',
  'golden',
] as const

const without = (value: object, keys: readonly string[]): JsonRecord =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))

/** Profiles are looked at one by one; the rest of these decides where things lie and how much happens at a time. */
const decisive = (config: Config): JsonRecord =>
  without(config, ['$schema', 'model', 'models', 'skills', 'concurrency', 'recordings', 'reports', 'reporters'])

/** Every skill of the index, those that are hidden or shadowed too: a case may name them. */
const skillsDigest = ({ skills, shadowed }: SkillIndex, files: Files): string =>
  sha256(
    JSON.stringify(
      [...skills, ...shadowed.map(({ skill }) => skill)].map(({ name, source, dir, file }) => [
        name,
        source,
        fileDigest(file, files),
        skillFiles(dir, files).files.map(({ path }) => [path, fileDigest(`${dir}/${path}`, files)]),
      ]),
    ),
  )
