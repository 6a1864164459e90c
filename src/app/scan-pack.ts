import { join } from 'node:path'
import type { Diagnostic } from '../core/diagnostic.ts'
import { InvalidInputError } from '../core/errors.ts'
import type { ShownFinding } from '../schema/scan.ts'
import type { Host } from './host.ts'
import type { OpenPack } from './read-pack.ts'
import { acceptedRules } from './scan-skills.ts'

/**
 * What a scan finds in the skills of a pack that lies unpacked, by files below the skills' names. Throws an
 * InvalidInputError where something of it is high and its rule was not accepted.
 */
export const scanPack = async (
  pack: OpenPack,
  acceptRisk: readonly string[],
  { files }: Pick<Host, 'files'>,
): Promise<readonly ShownFinding[]> => {
  const accepted = acceptedRules(acceptRisk)
  const { scanSkill } = await import('../skills/scan/scan-skill.ts')
  const found = pack.skills.flatMap(({ name, folder }) =>
    scanSkill(files, join(pack.dir, folder)).findings.map(
      (finding): ShownFinding => ({
        ...finding,
        file: finding.file === '.' ? name : `${name}/${finding.file}`,
        accepted: accepted.has(finding.rule),
      }),
    ),
  )
  const risks = found.filter(({ severity, accepted: isAccepted }) => severity === 'high' && !isAccepted)
  if (risks.length > 0) throw new InvalidInputError(risks.map((risk) => refusal(risk, pack)))
  return found
}

const refusal = (
  { rule, message, file, line, column, advice, excerpt }: ShownFinding,
  { manifest }: OpenPack,
): Diagnostic => ({
  severity: 'error',
  code: `scan/${rule}`,
  message: excerpt === undefined ? message : `${message}: ${excerpt}`,
  // As nothing in the project is called: its lines would be shown.
  file: `${manifest.name}@${manifest.version}/${file}`,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
  hint: `${advice} If you have, and want it all the same: --accept-risk ${rule}.`,
})
