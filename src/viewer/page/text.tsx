import { useState } from 'preact/hooks'
import { visible, visibleLine } from '../../lib/visible.ts'
import { formatNumber } from '../../report/format-number.ts'
import { shownJson } from '../../report/json-text.ts'
import type { ToneLine } from '../../report/tone.ts'
import { type Mark, markedPieces } from '../find-quote.ts'

/** Text of others on one line, set apart so that its direction of writing stays its own. */
export const Line = ({ text, max = 300 }: { readonly text: string; readonly max?: number }) => (
  <bdi>{visibleLine(text, max)}</bdi>
)

const FIRST = 3_000
const MORE = 100_000

type BlockProps = { readonly text: string; readonly marks?: readonly Mark[] }

/** Text of others over several lines: its start, and on demand more of it. What can't be seen is written out. */
export const Block = ({ text, marks = [] }: BlockProps) => {
  // What is marked is there to be jumped to.
  const [length, setLength] = useState(() => Math.min(MORE, Math.max(FIRST, ...marks.map(({ to }) => to))))
  const left = text.length - length
  const shown = left > 0 ? headOf(text, length) : text
  return (
    <>
      <pre class="text">
        <bdi>
          {marks.length === 0
            ? visible(shown)
            : markedPieces(shown, marks).map(({ text: piece, mark }, i) =>
                mark === undefined ? (
                  visible(piece)
                ) : (
                  <mark key={i} data-name={mark.name} tabIndex={-1}>
                    {visible(piece)}
                  </mark>
                ),
              )}
        </bdi>
      </pre>
      {left > 0 && (
        <p class="more">
          <button type="button" onClick={() => setLength(length + MORE)}>
            Show more
          </button>{' '}
          <span class="faint">{formatNumber(left)} characters left</span>
        </p>
      )}
    </>
  )
}

/** A pair of surrogates is not halved: its half would look like one that was there. */
const headOf = (text: string, length: number): string =>
  text.slice(0, /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length)

/** A value: a text as it is, anything else as indented JSON. */
export const valueText = (value: unknown): string => (typeof value === 'string' ? value : shownJson(value, 2))

/** Lines of a diff or an explanation, already safe to show. */
export const ToneLines = ({ lines }: { readonly lines: readonly ToneLine[] }) => (
  <pre class="text diff">
    {lines.map(({ text, tone }, i) => (
      <span key={i} class={`line ${tone}`}>
        {text}
        {'\n'}
      </span>
    ))}
  </pre>
)

/** A shell line with a button that copies it; where that is not allowed, it is selected. */
export const Command = ({ line }: { readonly line: string }) => {
  const [told, setTold] = useState('')
  const copy = async (button: HTMLElement) => {
    try {
      await navigator.clipboard.writeText(line)
      setTold('copied')
    } catch {
      const code = button.parentElement?.querySelector('code')
      if (code) getSelection()?.selectAllChildren(code)
      setTold('selected')
    }
  }
  return (
    <span class="command">
      <code>{visible(line)}</code>
      <button type="button" onClick={(event) => void copy(event.currentTarget)}>
        Copy
      </button>
      <span role="status" class="faint">
        {told}
      </span>
    </span>
  )
}
