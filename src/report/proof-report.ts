import { foreignLine } from './foreign-text.ts'
import { plural } from './format-number.ts'
import { painter, type Tone } from './tone.ts'

type Model = {
  readonly profile: string
  readonly provider: string
  readonly answered: readonly string[]
  readonly recorded: { readonly first: string; readonly last: string } | null
}

export type ProofText =
  | {
      readonly cases: number
      readonly passed: number
      readonly skipped: number
      readonly trials: number
      readonly models: readonly Model[]
      readonly tool: string
    }
  | { readonly problem: string }

/** `12 of 12 cases (24 trials) on claude (claude-sonnet-5-5), recorded 2026-11-01`; it is what the pack claims. */
export const proofText = (proof: ProofText): string => {
  if ('problem' in proof) return `can't be believed: ${foreignLine(proof.problem, 500)}`
  const { cases, passed, skipped, trials, models, tool } = proof
  const left = skipped === 0 ? '' : `, ${skipped} skipped`
  return `${passed} of ${plural(cases - skipped, 'case')} passed (${plural(trials, 'trial')}${left}) on ${models.map(modelText).join('; ')}, by skills-eval ${foreignLine(tool)}`
}

const modelText = ({ profile, provider, answered, recorded }: Model): string => {
  const ids = answered.length === 0 ? '' : ` (${answered.map((id) => foreignLine(id)).join(', ')})`
  const scripted = provider === 'mock' ? ', scripted by the suite' : ''
  if (recorded === null) return `${foreignLine(profile)}${scripted}`
  const dates = recorded.first === recorded.last ? recorded.first : `${recorded.first} to ${recorded.last}`
  return `${foreignLine(profile)}${ids}${scripted}, recorded ${dates}`
}

/** What `skills prove` prints. */
export const provedText = (
  proved: {
    readonly name: string
    readonly version: string
    readonly digest: string
    readonly verdict: string
    readonly problem?: string
    readonly hint?: string
    readonly claimed?: ProofText
    readonly differences: readonly { readonly case: string; readonly claimed: string; readonly now: string }[]
  },
  color: boolean,
): { readonly out: string } => {
  const { name, version, digest, verdict, problem, hint, claimed, differences } = proved
  const tone: Tone = verdict === 'equal' ? 'good' : verdict === 'stale' ? 'strong' : 'bad'
  const texts = [
    `${painter(color)(verdict, tone)}  ${foreignLine(name)} ${foreignLine(version)}: ${verdictWords[verdict] ?? verdict}`,
    ...(problem === undefined ? [] : [`  problem ${foreignLine(problem, 1000)}`]),
    ...differences
      .slice(0, shown)
      .map((one) => `  ${foreignLine(one.case, 300)}: ${foreignLine(one.claimed)} → ${foreignLine(one.now)}`),
    ...(differences.length > shown ? [`  and ${differences.length - shown} more`] : []),
    ...(claimed === undefined ? [] : [`  claimed ${proofText(claimed)}`]),
    `  digest  ${digest}`,
    ...(hint === undefined ? [] : [`  next    ${foreignLine(hint, 1000)}`]),
  ]
  return { out: texts.map((text) => `${text}\n`).join('') }
}

const shown = 20

const verdictWords: Readonly<Record<string, string>> = {
  equal: 'its recordings give the same results here',
  different: 'what it claims does not hold here',
  stale: 'it proves nothing about what is here',
  error: 'it could not be judged here',
}
