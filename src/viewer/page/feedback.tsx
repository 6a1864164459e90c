import { useEffect, useState } from 'preact/hooks'
import { plural } from '../../report/format-number.ts'
import { feedbackJson, type Remarks, readRemarks } from '../feedback-file.ts'
import { Line } from './text.tsx'
import { readSetting, writeSetting } from './use-keys.ts'

export type Feedback = {
  readonly remarks: Remarks
  readonly isKept: boolean
  set(key: string, text: string): void
}

/** A person's remarks on the trials of a run, kept by the browser where it may. */
export const useFeedback = (run: string): Feedback => {
  const name = `skills-eval.feedback.${run}`
  const [remarks, setRemarks] = useState(() => readRemarks(readSetting(name)))
  const [isKept, setKept] = useState(true)
  const set = (key: string, text: string) => {
    const next = { ...remarks, [key]: { text, at: new Date().toISOString() } }
    if (text === '') delete next[key]
    setRemarks(next)
    setKept(writeSetting(name, JSON.stringify(next)))
  }
  return { remarks, isKept, set }
}

/** Where a remark on one trial is written. */
export const RemarkField = ({ name, feedback }: { readonly name: string; readonly feedback: Feedback }) => {
  const id = `remark-${name}`
  return (
    <section class="remark">
      <label for={id}>Your feedback on this trial</label>
      <textarea
        id={id}
        rows={3}
        value={feedback.remarks[name]?.text ?? ''}
        onInput={(event) => feedback.set(name, event.currentTarget.value)}
      />
      {!feedback.isKept && <p class="faint">The browser does not keep it: export it before you close the page.</p>}
    </section>
  )
}

export const FeedbackPage = ({ run, feedback }: { readonly run: string; readonly feedback: Feedback }) => {
  const written = Object.entries(feedback.remarks).filter(([, { text }]) => text.trim() !== '')
  const json = feedbackJson(run, feedback.remarks)
  return (
    <>
      <h1 tabIndex={-1}>Feedback</h1>
      {written.length === 0 ? (
        <p>Nothing is written yet. Open a trial of a case and write what you think of it.</p>
      ) : (
        <>
          <p>
            {plural(written.length, 'remark')}, kept in this browser. <Download name="feedback.json" text={json} />
          </p>
          <dl class="remarks">
            {written.map(([key, { text }]) => (
              <div key={key}>
                <dt>
                  <a href={`#/case/${key}`}>
                    <Line text={readable(key)} />
                  </a>
                </dt>
                <dd>
                  <bdi>{text}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  )
}

const Download = ({ name, text }: { readonly name: string; readonly text: string }) => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [text])
  return (
    <a class="button" href={url} download={name}>
      Export {name}
    </a>
  )
}

/** An address as a person reads it. It was made by us or kept by the browser: it may be none. */
const readable = (key: string): string => {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}
