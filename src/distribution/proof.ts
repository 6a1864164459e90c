import { canonicalJson, sha256 } from '../lib/hash.ts'
import { parseJson } from '../lib/json.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy, firstFault } from '../lib/zod-issues.ts'
import type { Manifest, PackedFile } from '../schema/pack.ts'
import { type Proof, type ProvedModel, proofSchema } from '../schema/proof.ts'
import { filesOf } from './drift.ts'

/** No skill can be called so: in a pack it stands beside the skills, and nothing of it is installed with them. */
export const proofFolder = '.proof'
/** In the proof's folder. */
export const proofName = 'proof.json'
/** In the proof's folder: the project that it is run in, without its skills. */
export const proofProject = 'project'

export const isOfProof = (path: string): boolean => path === proofFolder || path.startsWith(`${proofFolder}/`)

export const hasProof = ({ files }: Manifest): boolean =>
  files.some(({ path }) => path === `${proofFolder}/${proofName}`)

export const maxProofBytes = 4 * 1024 * 1024

/** What names the files of a skill, or those of a proof's project, wherever they lie. */
export const filesDigest = (files: readonly PackedFile[]): string =>
  sha256(canonicalJson([...files].sort((a, b) => (a.path < b.path ? -1 : 1))))

/** The bytes of proof.json: the only ones that this proof can have. */
export const proofBytes = (proof: Proof): Uint8Array => Buffer.from(`${canonicalJson(proof)}\n`)

export const readProof = (bytes: Uint8Array): Proof | { readonly problem: string } => {
  const json = parseJson(Buffer.from(bytes).toString('utf8'), { maxBytes: maxProofBytes })
  if (!json.ok) return { problem: `${proofName} can't be read: ${json.message}` }
  const checked = checkedBy(proofSchema, json.value)
  if (!checked.ok) return { problem: `${proofName}: ${firstFault(checked.issues)}` }
  const isCanonical = Buffer.from(proofBytes(checked.data)).equals(bytes)
  return isCanonical ? checked.data : { problem: `${proofName} is not written in its canonical form` }
}

/** A recording, as far as it says what can be claimed of it. */
export type ProofRecording = {
  readonly suite: string
  readonly case: string
  readonly profile: string
  readonly recorded: string
  readonly trials: number
  readonly answered: readonly string[]
}

/** The models of these profiles, as their recordings know them. */
export const provedModels = (
  profiles: readonly { readonly profile: string; readonly provider: string }[],
  recordings: readonly ProofRecording[],
): ProvedModel[] =>
  [...profiles]
    .sort((a, b) => (a.profile < b.profile ? -1 : 1))
    .map(({ profile, provider }) => {
      const own = recordings.filter((one) => one.profile === profile)
      const dates = own.map(({ recorded }) => recorded).sort()
      const [first, last] = [dates[0], dates.at(-1)]
      return {
        profile,
        provider,
        answered: [...new Set(own.flatMap(({ answered }) => answered))].sort(),
        recorded: first === undefined || last === undefined ? null : { first, last },
      }
    })

/**
 * What can be seen to be wrong with a proof without running anything: it is of other skills, of other suites or
 * recordings, or claims what no recording has. Undefined where nothing can; whether it holds is seen by running it.
 */
export const proofProblem = (
  proof: Proof,
  manifest: Manifest,
  recordings: readonly ProofRecording[],
): string | undefined => {
  const own = skillFoldersOf(manifest)
    .map((folder) => `${folder} ${filesDigest(filesOf(manifest.files, folder))}`)
    .sort()
  const proved = proof.skills.map((one) => `${one.name} ${one.sha256}`).sort()
  if (own.join('\n') !== proved.join('\n')) return 'the proof is of other skills than those of the pack'
  if (filesDigest(filesOf(manifest.files, `${proofFolder}/${proofProject}`)) !== proof.sources)
    return 'the proof is of other suites or recordings than those that are with it'
  const project = new Set(filesOf(manifest.files, `${proofFolder}/${proofProject}`).map(({ path }) => path))
  // Nothing outside of the proof is run for it, wherever a path would lead.
  const stray = proof.suites.find((path) => !project.has(path))
  if (stray !== undefined) return `the proof names a suite that is not with it: ${visibleLine(stray, 100)}`
  const models = provedModels(proof.models, recordings)
  if (canonicalJson(models) !== canonicalJson(proof.models))
    return 'the proof names other models or dates than its recordings'
  const unshown = proof.cases.find((one) => !isRecorded(one, proof, recordings))
  if (unshown !== undefined) return `the proof claims more of ${unshown.suite}/${unshown.id} than was recorded`
  return undefined
}

/** A proof is of packs that `pack` made: each skill lies in a folder with its name, at the top. */
const skillFoldersOf = ({ files }: Manifest): readonly string[] =>
  files.flatMap(({ path }) => /^([^/]+)\/skill\.md$/i.exec(path)?.[1] ?? [])

/**
 * What passed has run, and none has passed more often than it ran. A case on a model that is not scripted has a recording
 * for each of its trials; on one that is, only running it shows anything.
 */
const isRecorded = (
  { suite, id, model, status, trials, passed }: Proof['cases'][number],
  { models }: Proof,
  recordings: readonly ProofRecording[],
): boolean => {
  const profile = models.find((one) => one.profile === model)
  if (profile === undefined || passed > trials || (status === 'passed' && passed === 0)) return false
  if (profile.provider === 'mock' || trials === 0) return true
  return recordings.some(
    (one) => one.suite === suite && one.case === id && one.profile === model && one.trials >= trials,
  )
}

/** What a proof shows, in numbers. */
export type ProofSummary = {
  readonly suites: number
  readonly cases: number
  readonly passed: number
  readonly skipped: number
  readonly trials: number
  readonly models: readonly ProvedModel[]
  readonly tool: string
}

export const proofSummary = ({ suites, cases, models, tool }: Proof): ProofSummary => ({
  suites: suites.length,
  cases: cases.length,
  passed: cases.filter(({ status }) => status === 'passed').length,
  skipped: cases.filter(({ status }) => status === 'skipped').length,
  trials: cases.reduce((sum, { trials }) => sum + trials, 0),
  models,
  tool: tool.version,
})

/** What `prove` says: the same results, others, none since the recordings are of something else, or none at all. */
export type ProofVerdict = 'equal' | 'different' | 'stale' | 'error'

/** As everywhere: 1 what was claimed does not hold, 3 it could not be judged, 4 stale. */
export const proofExitCode = (verdict: ProofVerdict): number =>
  ({ equal: 0, different: 1, error: 3, stale: 4 })[verdict]

export type CaseDifference = { readonly case: string; readonly claimed: string; readonly now: string }

/**
 * Holds what a proof claims against what its recordings give here. `isHindered`: this machine kept a case from what it
 * does, so that what it gave else than claimed says nothing.
 */
export const compareProof = (
  claimed: Proof,
  now: Pick<Proof, 'models' | 'cases'>,
  isHindered: (one: Proof['cases'][number]) => boolean = () => false,
): { readonly verdict: ProofVerdict; readonly differences: readonly CaseDifference[] } => {
  const keyOf = ({ suite, id, model }: Proof['cases'][number]) => JSON.stringify([suite, id, model])
  const here = new Map(now.cases.map((one) => [keyOf(one), one]))
  const there = new Map(claimed.cases.map((one) => [keyOf(one), one]))
  const differing = [...new Set([...there.keys(), ...here.keys()])].flatMap((key) => {
    const [was, is] = [there.get(key), here.get(key)]
    return canonicalJson(was) === canonicalJson(is) ? [] : [{ was, is }]
  })
  const differences = differing.map(({ was, is }) => {
    const { suite = '', id = '', model = '' } = was ?? is ?? {}
    return { case: `${suite}/${id} on ${model}`, claimed: caseWords(was), now: caseWords(is) }
  })
  const states = differing.map(({ is }) => (is !== undefined && isHindered(is) ? 'error' : is?.status))
  const isOther = states.some((status) => status !== 'stale' && status !== 'error')
  if (isOther || canonicalJson(claimed.models) !== canonicalJson(now.models))
    return { verdict: 'different', differences }
  if (states.includes('stale')) return { verdict: 'stale', differences }
  return { verdict: states.includes('error') ? 'error' : 'equal', differences }
}

const caseWords = (one: Proof['cases'][number] | undefined): string =>
  one === undefined ? 'not there' : `${one.status}, ${one.passed} of ${one.trials} trials, ${one.checks} checks`
