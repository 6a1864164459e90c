import type { ShownFinding } from '../schema/scan.ts'
import { foreignLine } from './foreign-text.ts'
import { formatNumber, plural } from './format-number.ts'
import { type ProofText, proofText } from './proof-report.ts'
import { painter, type Tone } from './tone.ts'

/** Results, and what there is to know about them besides. */
export type PackText = { readonly out: string; readonly notes?: string }

type Signer = { readonly status: string; readonly name?: string; readonly fingerprint?: string }

/** What `skills pack` prints. */
export const packedText = (packed: {
  readonly file: string
  readonly name: string
  readonly version: string
  readonly digest: string
  readonly skills: readonly string[]
  readonly files: number
  readonly bytes: number
  readonly signed: string | null
  readonly proof?: ProofText
  readonly left_out: readonly { readonly path: string; readonly why: string }[]
}): PackText => ({
  out: lines([
    `${foreignLine(packed.name)} ${foreignLine(packed.version)}: ${plural(packed.skills.length, 'skill')}, ${plural(packed.files, 'file')}, ${formatNumber(packed.bytes)} bytes`,
    `file    ${foreignLine(packed.file, 1000)}`,
    `digest  ${packed.digest}`,
    ...(packed.signed === null ? [] : [`signed  ${packed.signed}`]),
    ...(packed.proof === undefined ? [] : [`proof   ${proofText(packed.proof)}`]),
  ]),
  notes: lines(packed.left_out.map(({ path, why }) => `left out: ${foreignLine(path, 200)} (${why})`)),
})

type SkillChange = {
  readonly name: string
  readonly change: string
  readonly versions?: { readonly from: string; readonly to: string }
}

const changeLine = ({ name, change, versions }: SkillChange): string => {
  const now =
    versions === undefined ? '' : ` but for its version, ${foreignLine(versions.from)} → ${foreignLine(versions.to)}`
  return `${foreignLine(name)}: ${change}${now}`
}

/** What `skills install` prints. */
export const installedText = (
  result: {
    readonly root: string
    readonly pack: {
      readonly name: string
      readonly version: string
      readonly digest: string
      readonly origin: string
      readonly signer: Signer
    }
    readonly skills: readonly SkillChange[]
    readonly proof?: ProofText
  } & Besides,
): PackText => ({
  out: lines([
    ...result.skills.map(changeLine),
    `from    ${foreignLine(result.pack.name)} ${foreignLine(result.pack.version)} (${foreignLine(result.pack.origin, 1000)})`,
    `into    ${foreignLine(result.root, 1000)}`,
    `digest  ${result.pack.digest}`,
    `signer  ${signerWords(result.pack.signer)}`,
    ...(result.proof === undefined ? [] : [`proof   ${proofText(result.proof)}`]),
  ]),
  notes: besides(result),
})

type Besides = {
  readonly backups: readonly string[]
  readonly notes: readonly string[]
  readonly findings: readonly Finding[]
}

type Finding = Pick<ShownFinding, 'rule' | 'severity' | 'message' | 'file' | 'line' | 'accepted'>

/** What there is to know of an install besides what was done. */
const besides = ({ notes, backups, findings }: Besides): string =>
  lines([...notes.map((note) => `note: ${foreignLine(note, 1000)}`), ...backups.map(keptAs), ...scanLines(findings)])

const maxFindings = 20

const scanLines = (findings: readonly Finding[]): readonly string[] => [
  ...findings.slice(0, maxFindings).map(({ rule, severity, message, file, line, accepted }) => {
    const place = `${foreignLine(file, 1000)}${line === undefined ? '' : `:${line}`}`
    return `scan: ${accepted ? 'accepted' : severity}[${rule}] ${foreignLine(message)} (${place})`
  }),
  ...(findings.length > maxFindings
    ? [`scan: and ${findings.length - maxFindings} more; \`skills-eval skills scan NAME\` shows all`]
    : []),
]

/** What `skills install NAME` prints. */
export const hubInstalledText = (
  result: {
    readonly root: string
    readonly hub: string
    readonly collection: string | null
    readonly packs: readonly {
      readonly name: string
      readonly version: string
      readonly digest: string
      readonly tier: string
      readonly signer: Signer
    }[]
    readonly skills: readonly SkillChange[]
  } & Besides,
): PackText => ({
  out: lines([
    ...result.skills.map(changeLine),
    `from    ${foreignLine(result.hub)}${result.collection === null ? '' : `, the collection ${foreignLine(result.collection)}`}`,
    ...result.packs.flatMap(({ name, version, tier, digest, signer }) => [
      `pack    ${foreignLine(name)} ${foreignLine(version)} (${tier})`,
      `digest  ${digest}`,
      `signer  ${signerWords(signer)}`,
    ]),
    `into    ${foreignLine(result.root, 1000)}`,
  ]),
  notes: besides(result),
})

/** What `skills update` prints. */
export const updatedText = (
  result: {
    readonly root: string
    readonly dry_run: boolean
    readonly updates: readonly {
      readonly pack: string
      readonly hub: string | null
      readonly from: string
      readonly to: string
    }[]
    readonly skills: readonly SkillChange[]
  } & Besides,
): PackText => ({
  out:
    result.updates.length === 0
      ? 'no skill was installed from a pack\n'
      : lines([
          ...result.updates.map(({ pack, hub, from, to }) => {
            const arrow = from === to ? `${foreignLine(from)}, as it was` : `${foreignLine(from)} → ${foreignLine(to)}`
            return `${foreignLine(pack)}: ${arrow}${hub === null ? '' : ` (${foreignLine(hub)})`}`
          }),
          ...result.skills.map((skill) => `  ${changeLine(skill)}`),
          ...(result.dry_run ? ['nothing was changed (--dry-run)'] : []),
        ]),
  notes: besides(result),
})

const keptAs = (path: string): string => `note: what was there is kept in ${foreignLine(path, 1000)}`

/** What `skills uninstall` prints. */
export const uninstalledText = (result: {
  readonly name: string
  readonly root: string
  readonly backups: readonly string[]
}): PackText => ({
  out: `${foreignLine(result.name)}: uninstalled from ${foreignLine(result.root, 1000)}\n`,
  notes: lines(result.backups.map(keptAs)),
})

type Verified = {
  readonly kind: string
  readonly name: string
  readonly place: string
  readonly verdict: string
  readonly problem?: string
  readonly drift?: {
    readonly changed: readonly string[]
    readonly missing: readonly string[]
    readonly added: readonly string[]
  }
  readonly origin?: string
  readonly version?: string
  readonly digest?: string
  readonly signer?: Signer
}

type NotInstalled = { readonly root: string; readonly names: readonly string[] }

/** What `skills verify` prints: each skill or pack with its verdict, what is wrong with it, and its digest to compare. */
export const verifiedText = (
  { found, besides = [] }: { readonly found: readonly Verified[]; readonly besides?: readonly NotInstalled[] },
  color: boolean,
): PackText => {
  const paint = painter(color)
  const notes = lines(besides.map(besidesText))
  if (found.length === 0) return { out: 'no skill was installed from a pack\n', notes }
  const texts = found.flatMap((one) => [
    `${paint(verdictWords[one.verdict] ?? one.verdict, verdictTone[one.verdict] ?? 'bad')}  ${foreignLine(one.name)}${one.version === undefined ? '' : ` ${foreignLine(one.version)}`}`,
    `  in      ${foreignLine(one.place, 1000)}`,
    ...(one.problem === undefined ? [] : [`  problem ${foreignLine(one.problem, 1000)}`]),
    ...driftLines(one.drift).map((line) => `  ${line}`),
    ...(one.origin === undefined ? [] : [`  from    ${foreignLine(one.origin, 1000)}`]),
    ...(one.digest === undefined ? [] : [`  digest  ${one.digest}`]),
    ...(one.signer === undefined ? [] : [`  signer  ${signerWords(one.signer)}`]),
  ])
  return { out: lines(texts), notes }
}

const besidesText = ({ root, names }: NotInstalled): string => {
  const some = names.slice(0, 5).map((name) => foreignLine(name))
  const more = names.length > some.length ? ` and ${names.length - some.length} more` : ''
  return `note: ${plural(names.length, 'skill')} in ${foreignLine(root, 1000)} came from no pack, so nothing says what they should be: ${some.join(', ')}${more}`
}

const verdictWords: Readonly<Record<string, string>> = {
  fine: 'fine',
  unsigned: 'unsigned',
  unknown_key: 'unknown key',
  tampered: 'tampered',
}

const verdictTone: Readonly<Record<string, Tone>> = { fine: 'good', unsigned: 'strong', unknown_key: 'strong' }

const driftLines = (drift: Verified['drift']): readonly string[] => {
  if (drift === undefined) return []
  const listed = (word: string, paths: readonly string[]) => paths.map((path) => `${word} ${foreignLine(path, 500)}`)
  return [...listed('changed', drift.changed), ...listed('missing', drift.missing), ...listed('added  ', drift.added)]
}

/** Who signed a pack, in words. */
export const signerWords = ({ status, name, fingerprint }: Signer): string => {
  switch (status) {
    case 'trusted':
      return `${foreignLine(name ?? '')} (${fingerprint})`
    case 'unknown':
      return `a key that is not trusted here (${fingerprint})`
    case 'unsigned':
      return 'none'
    default:
      return 'a signature that is not of this pack'
  }
}

/** Where an installed skill is from. */
export type PackOrigin = {
  readonly origin: string
  readonly hub?: string
  readonly pack: string
  readonly version: string
  readonly signer: Signer
}

/** `tools 1.2.0 from tools-1.2.0.zip, signed by alice`. */
export const packOriginText = ({ origin, hub, pack, version, signer }: PackOrigin): string => {
  const from =
    hub === undefined ? foreignLine(origin, 1000) : `the hub ${foreignLine(hub)} (${foreignLine(origin, 1000)})`
  return `${foreignLine(pack)} ${foreignLine(version)} from ${from}, ${signedWords(signer)}`
}

const signedWords = ({ status, name = '' }: Signer): string => {
  if (status === 'trusted') return `signed by ${foreignLine(name)}`
  if (status === 'unknown') return 'signed by a key that is not trusted here'
  return status === 'unsigned' ? 'not signed' : 'with a signature that is not of it'
}

/** What `skills keygen` prints. */
export const keyText = (made: {
  readonly file: string
  readonly key: string
  readonly fingerprint: string
}): PackText => ({
  out: lines([
    `file         ${foreignLine(made.file, 1000)}`,
    `key          ${made.key}`,
    `fingerprint  ${made.fingerprint}`,
  ]),
  notes: lines([
    'Keep the file to yourself. Whoever shall trust what you sign puts this into their configuration:',
    `  {"packs": {"trusted_keys": [{"name": "WHO YOU ARE", "key": "${made.key}"}]}}`,
  ]),
})

/** What `skills sign` prints. */
export const signedText = (signed: {
  readonly file: string
  readonly digest: string
  readonly fingerprint: string
}): PackText => ({
  out: lines([
    `file    ${foreignLine(signed.file, 1000)}`,
    `digest  ${signed.digest}`,
    `signed  ${signed.fingerprint}`,
  ]),
})

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('')
