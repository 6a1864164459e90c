import type { Calibration } from '../schema/calibration.ts'
import { foreignLine, foreignLines } from './foreign-text.ts'
import { formatCost, formatNumber, plural, UNKNOWN } from './format-number.ts'
import { rateText } from './summary-tables.ts'
import { painter } from './tone.ts'

const MAX_TOLD = 50

/** What `judge calibrate` prints: how far judge and people agree, how it errs, and where. */
export const calibrationText = (found: Calibration, { color }: { readonly color: boolean }): string => {
  const paint = painter(color)
  const { n, agreement, kappa, false_pass, false_fail, disagreements, unusable } = found
  const row = (label: string, text: string) => `${label.padEnd(13)} ${text}`
  const rate = ({ rate: share, interval, count, of }: Calibration['agreement']) =>
    `${rateText({ pass_rate: share, interval })}, ${formatNumber(count)} of ${formatNumber(of)}`
  const models = found.models.length === 0 ? '' : ` (${found.models.map((model) => foreignLine(model)).join(', ')})`
  const votes = found.judges === 1 ? '' : `, ${found.judges} verdicts a label`
  const unsupported = found.unsupported === 0 ? '' : `, ${formatNumber(found.unsupported)} passed without evidence`
  return [
    paint(`${foreignLine(found.profile)}${models} against ${foreignLine(found.labels)}${votes}`, 'strong'),
    row('labels', `${formatNumber(n)} judged${unsupported}`),
    row('agreement', rate(agreement)),
    row("Cohen's kappa", kappa === null ? `${UNKNOWN} (not defined: no difference to agree on)` : kappa.toFixed(3)),
    row('false passes', `${rate(false_pass)} labelled fail`),
    row('false fails', `${rate(false_fail)} labelled pass`),
    ...disagreements
      .slice(0, MAX_TOLD)
      .flatMap(({ line, label, told }) => [
        paint(`${foreignLine(found.labels)}:${line} labelled ${label}`, label === 'fail' ? 'bad' : 'warn'),
        ...foreignLines(told, { maxLines: 3, maxLength: 600 }).map((text) => `  ${text}`),
      ]),
    ...(disagreements.length > MAX_TOLD ? [`… ${plural(disagreements.length - MAX_TOLD, 'more disagreement')}`] : []),
    ...unusable
      .slice(0, MAX_TOLD)
      .flatMap(({ line, code, message }) => [
        paint(`${foreignLine(found.labels)}:${line} ${code}`, 'bad'),
        ...foreignLines(message, { maxLines: 12, maxLength: 500 }).map((text) => `  ${text}`),
      ]),
    ...(unusable.length > MAX_TOLD ? [`… ${plural(unusable.length - MAX_TOLD, 'more label')} without a verdict`] : []),
    ...found.gates.map(({ name, limit, actual, passed }) =>
      paint(
        `${name.replaceAll('_', ' ')} ${limit}: ${actual === null ? UNKNOWN : Number(actual.toFixed(3))} ${passed ? 'met' : 'MISSED'}`,
        passed ? 'good' : 'bad',
      ),
    ),
    `cost: ${found.cost_usd === null ? 'not known' : formatCost(found.cost_usd)}`,
    '',
  ].join('\n')
}
