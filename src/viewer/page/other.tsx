import { otherMembers } from '../other-members.ts'
import { Block, Line, valueText } from './text.tsx'

type Props = { readonly part: Parameters<typeof otherMembers>[0]; readonly of: object }

/** What a newer program wrote and this viewer has no place for, as it is. */
export const Other = ({ part, of }: Props) => {
  const members = otherMembers(part, of)
  if (members.length === 0) return null
  return (
    <>
      {members.map(([name, value]) => (
        <details key={name} class="other">
          <summary>
            <Line text={name.replaceAll('_', ' ')} />
          </summary>
          <Block text={valueText(value)} />
        </details>
      ))}
    </>
  )
}
