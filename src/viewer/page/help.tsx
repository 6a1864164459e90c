import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { areKeysOn, setKeysOn } from './use-keys.ts'

const keys = [
  ['o', 'overview'],
  ['c', 'cases'],
  ['/', 'filter the cases'],
  ['j k ↓ ↑', 'next and previous row'],
  ['Page up, Page down, Home, End', 'further in the list'],
  ['Enter', 'open the case'],
  ['n p', 'next and previous case'],
  ['e', 'open or close all actions of a trial'],
  ['Esc', 'back to the list; clear the filter'],
  ['?', 'this help'],
] as const

/** The keys, and a switch that turns single ones off: they get in the way of speech input. */
export const Help = ({ onClose }: { onClose(): void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOn, setOn] = useState(areKeysOn)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>
        <label>
          <input
            type="checkbox"
            checked={isOn}
            onChange={(event) => {
              setKeysOn(event.currentTarget.checked)
              setOn(event.currentTarget.checked)
            }}
          />{' '}
          Keys without a modifier
        </label>
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
