import type { FeedbackFile, Rating } from '../schema/feedback.ts'

/** What a person wrote about one trial. */
export type Remark = { readonly text: string; readonly rating?: Rating; readonly at: string }

/** Remarks by `suite/id/model/trial`, as in addresses. */
export type Remarks = Readonly<Record<string, Remark>>

export type TrialName = { readonly suite: string; readonly id: string; readonly model: string; readonly trial: number }

export const ratings: readonly Rating[] = ['good', 'bad', 'unsure']

/** Whether there is anything in it. */
export const isWritten = ({ text, rating }: Remark): boolean => text.trim() !== '' || rating !== undefined

/** feedback.json: `src/schema/feedback.ts` describes it. */
export const feedbackJson = (run: string, remarks: Remarks): string => {
  const reviews = Object.entries(remarks).flatMap(([key, remark]): FeedbackFile['reviews'] => {
    const name = trialNameOf(key)
    if (name === undefined || !isWritten(remark)) return []
    const { suite, id, model, trial } = name
    const { text, rating, at } = remark
    const rated = rating === undefined ? {} : { rating }
    return [{ run_id: key, suite, case: id, model, trial, ...rated, feedback: text, timestamp: at }]
  })
  const file: FeedbackFile = { format: 'skills-eval/feedback@1', run, reviews, status: 'complete' }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** The trial that a remark is about; undefined for what is no such key. */
export const trialNameOf = (key: string): TrialName | undefined => {
  const parts = key.split('/')
  const trial = Number(parts[3])
  if (parts.length !== 4 || !Number.isInteger(trial) || trial < 1) return undefined
  try {
    const [suite = '', id = '', model = ''] = parts.map(decodeURIComponent)
    return { suite, id, model, trial }
  } catch {
    return undefined
  }
}

export type ReadFeedback = {
  readonly remarks: Remarks
  /** How many of its reviews have nothing that can be shown. */
  readonly unread: number
}

/** A feedback.json of ours or of skill-creator; undefined for any other text. Never throws. */
export const readFeedback = (text: string): ReadFeedback | undefined => {
  const reviews = member(parsed(text), 'reviews')
  if (!Array.isArray(reviews)) return undefined
  const remarks: Record<string, Remark> = Object.create(null)
  let unread = 0
  for (const review of reviews) {
    const [key, said, rating, at] = ['run_id', 'feedback', 'rating', 'timestamp'].map((name) => member(review, name))
    const remark = remarkOf(said, rating, at)
    if (typeof key === 'string' && remark !== undefined && isWritten(remark)) remarks[key] = remark
    else unread += 1
  }
  return { remarks, unread }
}

/** Both together; of two about one trial the later one holds. */
export const mergedRemarks = (own: Remarks, other: Remarks): Remarks => {
  const merged: Record<string, Remark> = Object.assign(Object.create(null), own)
  for (const [key, remark] of Object.entries(other)) {
    const known = merged[key]
    if (known === undefined || Date.parse(remark.at) > (Date.parse(known.at) || 0)) merged[key] = remark
  }
  return merged
}

/** Remarks as they were kept by the browser; what is none is left out. */
export const readRemarks = (kept: string | null): Remarks => {
  const remarks: Record<string, Remark> = Object.create(null)
  const value = parsed(kept ?? '{}')
  if (typeof value !== 'object' || value === null) return remarks
  for (const [key, one] of Object.entries(value)) {
    const remark = remarkOf(member(one, 'text'), member(one, 'rating'), member(one, 'at'))
    if (remark !== undefined) remarks[key] = remark
  }
  return remarks
}

const remarkOf = (text: unknown, rating: unknown, at: unknown): Remark | undefined => {
  if (typeof text !== 'string' || typeof at !== 'string') return undefined
  const known = ratings.find((one) => one === rating)
  return { text, ...(known === undefined ? {} : { rating: known }), at }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // It was written by something else.
    return undefined
  }
}
