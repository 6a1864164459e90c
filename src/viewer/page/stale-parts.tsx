import { visible } from '../../lib/visible.ts'
import { lineDiff } from '../../report/line-diff.ts'
import type { StaleDifference } from '../../schema/run.ts'
import { Line, ToneLines } from './text.tsx'

/** What differs from what was recorded, part by part. */
export const StaleParts = ({ differences }: { readonly differences: readonly StaleDifference[] }) => (
  <>
    <p>Differs from what was recorded:</p>
    <ul class="stale-parts">
      {differences.map((difference, i) => (
        <li key={i}>
          <StalePart {...difference} />
        </li>
      ))}
    </ul>
  </>
)

const StalePart = ({ part, of, recorded, now }: StaleDifference) => (
  <>
    <p>
      <b>
        <Line text={partName(part, of)} />
      </b>{' '}
      <span class="faint">
        {recorded === null && 'was not there'}
        {now === null && 'is no longer there'}
        {recorded !== null && now !== null && '- as recorded, + as it is now'}
      </span>
    </p>
    {(recorded !== null || now !== null) && <ToneLines lines={lineDiff(linesOf(recorded), linesOf(now))} />}
  </>
)

const kinds: Readonly<Record<string, string>> = {
  system: 'system prompt',
  body: 'body of the skill',
  input: 'request',
  observation: 'observation',
  judge: 'asked of the judge:',
}
const members: Readonly<Record<string, string>> = { index: 'description of', tools: 'tool', params: 'parameter' }

/** `observation:2` → `observation 2`; the skill, tool or parameter of a part that has several texts. */
const partName = (part: string, of: string | undefined): string => {
  const [kind = part, rest] = part.split(/:(.*)/s)
  if (of !== undefined && of !== '') return `${(Object.hasOwn(members, kind) && members[kind]) || kind} ${of}`
  const title = (Object.hasOwn(kinds, kind) && kinds[kind]) || kind
  return rest === undefined ? title : `${title} ${rest}`
}

const linesOf = (text: string | null): readonly string[] => (text === null ? [] : visible(readable(text)).split('\n'))

/** Tools are compared as JSON on one line. */
const readable = (text: string): string => {
  if (!text.startsWith('{')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // It only looked like it.
    return text
  }
}
