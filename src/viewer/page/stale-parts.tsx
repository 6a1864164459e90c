import { visible } from '../../lib/visible.ts'
import { stalePart } from '../../report/stale-part.ts'
import type { StaleDifference } from '../../schema/run.ts'
import { Line, ToneLines } from './text.tsx'

/** What differs from what was recorded, part by part. */
export const StaleParts = ({ differences }: { readonly differences: readonly StaleDifference[] }) => (
  <>
    <p>Differs from what was recorded:</p>
    <ul class="stale-parts">
      {differences.map((difference, i) => (
        <li key={i}>
          <StalePart difference={difference} />
        </li>
      ))}
    </ul>
  </>
)

const StalePart = ({ difference }: { readonly difference: StaleDifference }) => {
  const { name, change, diff } = stalePart(difference, (text) => visible(text).split('\n'))
  return (
    <>
      <p>
        <b>
          <Line text={name} />
        </b>{' '}
        <span class="faint">{change}</span>
      </p>
      {diff.length > 0 && <ToneLines lines={diff} />}
    </>
  )
}
