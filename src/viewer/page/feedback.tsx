import { useEffect, useState } from 'preact/hooks'
import { visible } from '../../lib/visible.ts'
import { plural } from '../../report/format-number.ts'
import type { Rating } from '../../schema/feedback.ts'
import {
  feedbackJson,
  isWritten,
  mergedRemarks,
  type Remark,
  type Remarks,
  ratings,
  readFeedback,
  readRemarks,
} from '../feedback-file.ts'
import { Line } from './text.tsx'
import { readSetting, writeSetting } from './use-keys.ts'

export type Feedback = {
  readonly remarks: Remarks
  readonly isKept: boolean
  set(key: string, change: Partial<Pick<Remark, 'text'>> & { readonly rating?: Rating | undefined }): void
  merge(other: Remarks): void
}

/** A person's remarks on the trials of a run, kept by the browser where it may. */
export const useFeedback = (run: string): Feedback => {
  const name = `skills-eval.feedback.${run}`
  const [remarks, setRemarks] = useState(() => readRemarks(readSetting(name)))
  const [isKept, setKept] = useState(true)
  const keep = (next: Remarks) => {
    setRemarks(next)
    setKept(writeSetting(name, JSON.stringify(next)))
  }
  return {
    remarks,
    isKept,
    set: (key, change) => {
      const { text = '', rating } = { ...remarks[key], ...change }
      const { [key]: _before, ...others } = remarks
      const remark = { text, ...(rating === undefined ? {} : { rating }), at: new Date().toISOString() }
      keep(text === '' && rating === undefined ? others : { ...others, [key]: remark })
    },
    merge: (other) => keep(mergedRemarks(remarks, other)),
  }
}

/** Where a person rates one trial and says why. */
export const RemarkField = ({ name, feedback }: { readonly name: string; readonly feedback: Feedback }) => {
  const id = `remark-${name}`
  const { text = '', rating: chosen } = feedback.remarks[name] ?? {}
  return (
    <section class="remark">
      <fieldset>
        <legend>Your verdict on this trial</legend>
        {ratings.map((rating) => (
          <button
            key={rating}
            type="button"
            aria-pressed={chosen === rating}
            onClick={() => feedback.set(name, { rating: chosen === rating ? undefined : rating })}
          >
            {rating}
          </button>
        ))}
      </fieldset>
      <label for={id}>Your feedback on this trial</label>
      <textarea
        id={id}
        rows={3}
        value={text}
        onInput={(event) => feedback.set(name, { text: event.currentTarget.value })}
      />
      {!feedback.isKept && <p class="faint">The browser does not keep it: export it before you close the page.</p>}
    </section>
  )
}

type PageProps = { readonly run: string; readonly feedback: Feedback }

export const FeedbackPage = ({ run, feedback }: PageProps) => {
  const written = Object.entries(feedback.remarks).filter(([, remark]) => isWritten(remark))
  const json = feedbackJson(run, feedback.remarks)
  return (
    <>
      <h1 tabIndex={-1}>Feedback</h1>
      <p>
        {written.length === 0
          ? 'Nothing is written yet. Open a trial of a case and say what you think of it, or read a feedback.json.'
          : `${plural(written.length, 'remark')}, ${feedback.isKept ? 'kept in this browser' : 'not kept by the browser'}.`}
      </p>
      <p class="controls">
        {written.length > 0 && <Download name="feedback.json" text={json} />} <Import feedback={feedback} />
      </p>
      <dl class="remarks">
        {written.map(([key, { text, rating }]) => (
          <div key={key}>
            <dt>
              <a href={`#/case/${key}`}>
                <Line text={readable(key)} />
              </a>{' '}
              {rating !== undefined && <b class={tones[rating]}>{rating}</b>}
            </dt>
            <dd>
              <bdi>{visible(text)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const tones: Readonly<Record<Rating, string>> = { good: 'good', bad: 'bad', unsure: 'warn' }

const MAX_BYTES = 20_000_000

/** Reads a feedback.json that was exported before, or that skill-creator wrote; what is newer here stays. */
const Import = ({ feedback }: Pick<PageProps, 'feedback'>) => {
  const [told, setTold] = useState('')
  const read = async (file: File) => {
    const found = file.size > MAX_BYTES ? undefined : readFeedback(await file.text())
    if (found === undefined) {
      setTold('That is no feedback.json.')
      return
    }
    feedback.merge(found.remarks)
    const count = Object.keys(found.remarks).length
    setTold(`${plural(count, 'remark')} read${found.unread > 0 ? `, ${found.unread} without content left out` : ''}.`)
  }
  return (
    <>
      <label>
        Read a feedback.json{' '}
        <input
          type="file"
          accept=".json,application/json"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            if (file !== undefined) void read(file)
            // The same file may be chosen again.
            event.currentTarget.value = ''
          }}
        />
      </label>{' '}
      <span role="status">{told}</span>
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
