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
import { findProfile, isProfile, judgeOf } from './profiles.ts'
import type { Project } from './project.ts'
import { type RecordingChoice, recordModeOf } from './recorded-models.ts'
import type { RecordingDigests } from './recording-digests.ts'
import { fileDigest, treeDigest } from './tree-digest.ts'

export type CaseInputs = (planned: PlannedCase) => string

/**
 * A short digest of all that decides how a trial of a case may end: the case, its suite, its model profile, the
 * configuration, the contents of skills, fixtures, graders and, where nothing of it is recorded, of the recording that is replayed. What only decides how
 * trials are counted or shown (`tags`, `trials`, `pass_threshold` …) is left out, so that it may change. It is the same
 * on another machine with the same files and the same version of skills-eval.
 */
export const caseInputs = (about: {
  readonly project: Project
  readonly config: Config
  readonly indexOf: (suite: PlannedSuite) => SkillIndex
  readonly choice: RecordingChoice
  readonly recordingDigests: RecordingDigests
  readonly host: Host
}): CaseInputs => {
  const { project, config, choice, host } = about
  const { files } = host
  const relativePath = (path: string) => relative(project.dir, path).split(sep).join('/')
  const contents = boundedCache<string, string>(1000)
  const contentOf = (path: string) => contents.get(path, () => treeDigest(path, files) ?? 'too much')
  const run = sha256(JSON.stringify([host.version, decisive(config), choice.allowStale, choice.trustSuites ?? false]))
  const skills = new Map<SkillIndex, string>()
  const suites = new Map<PlannedSuite, string>()
  const profiles = new Map<string, { readonly isReplay: boolean; readonly isMade: boolean; readonly digest: string }>()
  // The trials of a case come one after the other. A WeakMap of all cases would cost more than the digests.
  const recent = boundedCache<PlannedCase, string>(64)

  const skillsOf = (index: SkillIndex): string => {
    const digest = skills.get(index) ?? skillsDigest(index, files)
    skills.set(index, digest)
    return digest
  }
  const suiteOf = (suite: PlannedSuite): string => {
    const made = suites.get(suite)
    if (made !== undefined) return made
    const { name, path, distractors, normalize, stale } = suite
    const judge = isProfile(judgeOf(suite), config) ? profileOf(judgeOf(suite)).digest : null
    const parts = [name, path, distractors, judge, normalize, stale, skillsOf(about.indexOf(suite))]
    const fresh = sha256(JSON.stringify(parts))
    suites.set(suite, fresh)
    return fresh
  }
  const profileOf = (name: string) => {
    const made = profiles.get(name)
    if (made) return made
    const profile = findProfile(name, config)
    const mode = recordModeOf(profile, choice, host)
    const isMade = mode !== 'replay' && mode !== 'off'
    const fresh = { isReplay: mode === 'replay', isMade, digest: sha256(JSON.stringify([name, mode, profile])) }
    profiles.set(name, fresh)
    return fresh
  }
  const placeCheck = (check: JsonRecord): JsonRecord => {
    const { script } = check
    if (!isRecord(script) || typeof script.run !== 'string') return check
    return { ...check, script: { ...script, run: [relativePath(script.run), contentOf(script.run)] } }
  }
  const laid = (sources: Readonly<Record<string, Fixture>>) =>
    Object.entries(sources).map(([to, source]) => [to, typeof source === 'string' ? contentOf(source) : source])
  const recordings = recordingsFolder(project, config)
  const recordingOf = ({ suite, evalCase, model }: PlannedCase): string => {
    const path = join(recordings, cassettePath({ suite: suite.name, case: evalCase.id, profile: model }))
    return about.recordingDigests.get(path, () => fileDigest(path, files))
  }

  const digestOf = (planned: PlannedCase): string => {
    const { suite, evalCase, model, trials: _trials, at: _at, adaptive: _adaptive, place: _place, ...others } = planned
    const { isReplay, isMade, digest } = profileOf(model)
    const { files: sources, expected, ...rest } = evalCase
    const {
      description: _description,
      tags: _tags,
      line: _line,
      trials: _most,
      adaptive: _early,
      pass_threshold: _threshold,
      skip: _skip,
      only: _only,
      xfail: _xfail,
      golden: _golden,
      rowsOf: _rowsOf,
      unreviewed: _unreviewed,
      ...decides
    } = rest
    const checks = JSON.stringify(expected)
    const judge = checks?.includes('"rubric":') === true ? profileOf(judgeOf(suite)) : undefined
    // A recording that the run itself makes is no input: shards that run one after the other would differ by it.
    const isReplayed = isReplay || judge?.isReplay === true
    const isRecorded = isMade || judge?.isMade === true
    const parts = [
      run,
      suiteOf(suite),
      digest,
      others,
      decides,
      sources && laid(sources),
      // Few cases have a grader, and to look for it check by check takes longer than all the rest.
      checks?.includes('"script":') ? mapChecks(recordOr(expected), placeCheck) : checks,
      isReplayed && !isRecorded ? recordingOf(planned) : null,
    ]
    return sha256(JSON.stringify(parts)).slice(0, 16)
  }

  return (planned) => recent.get(planned, () => digestOf(planned))
}

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
