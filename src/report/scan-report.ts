import type { Scan, ScannedSkill, ShownFinding } from '../schema/scan.ts'
import { foreignLine } from './foreign-text.ts'
import { formatNumber, plural } from './format-number.ts'
import { type AnnotationLevel, githubCommand } from './github-command.ts'
import { type Paint, painter, type Tone } from './tone.ts'

export type ScanTextOptions = { readonly color: boolean /** Only findings that count. */; readonly quiet: boolean }

/** What `skills scan` prints: each skill with its findings, the worst first, and what they add up to. */
export const scanText = (scan: Scan, { color, quiet }: ScanTextOptions): string => {
  const paint = painter(color)
  const shown = scan.skills.filter((skill) => !quiet || skill.findings.some(({ accepted }) => !accepted))
  const blocks = shown.map((skill) => `${skillLines(skill, quiet, paint).join('\n')}\n`)
  return [...blocks, `${summary(scan)}\n`].join('\n')
}

const tones: Readonly<Record<ShownFinding['severity'], Tone>> = {
  high: 'bad',
  medium: 'warn',
  low: 'plain',
  info: 'faint',
}

const skillLines = (
  { name, path, files, findings, complete }: ScannedSkill,
  quiet: boolean,
  paint: Paint,
): string[] => {
  const head = `${paint(foreignLine(name), 'strong')}  ${foreignLine(path, 1000)}, ${plural(files, 'file')}`
  const told = findings.filter(({ accepted }) => !quiet || !accepted)
  const nothing = complete ? ['  nothing found'] : []
  return [head, ...(told.length === 0 ? nothing : told.flatMap((finding) => findingLines(finding, paint)))]
}

const findingLines = (finding: ShownFinding, paint: Paint): string[] => {
  const { severity, rule, message, file, line, column, excerpt, count, advice, accepted } = finding
  const place = [foreignLine(file, 1000), ...(line === undefined ? [] : [line, column ?? 1])].join(':')
  const more = count === 1 ? '' : `, and ${plural(count - 1, 'more place')}`
  const label = accepted ? paint(`accepted[${rule}]`, 'faint') : paint(`${severity}[${rule}]`, tones[severity])
  return [
    `  ${label} ${foreignLine(message)}${more}`,
    `    ${paint('-->', 'faint')} ${place}`,
    ...(excerpt === undefined ? [] : [`    ${foreignLine(excerpt, 200)}`]),
    ...(accepted ? [] : [`    help: ${advice}`]),
  ]
}

const summary = ({ skills, counts, complete }: Scan): string => {
  const found = (['high', 'medium', 'low', 'info'] as const).filter((severity) => counts[severity] > 0)
  const list = found.map((severity) => `${formatNumber(counts[severity])} ${severity}`)
  const accepted = counts.accepted === 0 ? [] : [`${formatNumber(counts.accepted)} accepted`]
  const all = [...list, ...accepted].join(', ') || 'nothing found'
  const bound = complete ? '' : ' Not everything was checked.'
  return `${plural(skills.length, 'skill')} scanned: ${all}.${bound} A scan sees patterns, not intentions: what it does not find can still be there.`
}

const levels: Readonly<Record<ShownFinding['severity'], AnnotationLevel>> = {
  high: 'error',
  medium: 'warning',
  low: 'notice',
  info: 'notice',
}

/** The findings that count as annotations for GitHub's log. */
export const scanAnnotations = ({ skills }: Scan): string =>
  skills
    .flatMap(({ findings }) => findings)
    .filter(({ accepted }) => !accepted)
    .map(({ severity, rule, file, line, column, message, excerpt, advice }) =>
      githubCommand(
        levels[severity],
        { file, line, column, title: `${rule} (${severity})` },
        [message, ...(excerpt === undefined ? [] : [excerpt]), advice].map((text) => foreignLine(text)).join('\n'),
      ),
    )
    .join('')
