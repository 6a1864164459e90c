/** What a person wrote about one trial. */
export type Remark = { readonly text: string; readonly at: string }

/** Remarks by `suite/id/model/trial`, as in addresses. */
export type Remarks = Readonly<Record<string, Remark>>

/**
 * feedback.json, laid out as the viewer of skill-creator writes it: what reads one reads the other. `run_id` names a
 * trial as the addresses of the report do.
 */
export const feedbackJson = (run: string, remarks: Remarks): string => {
  const reviews = Object.entries(remarks)
    .filter(([, { text }]) => text.trim() !== '')
    .map(([key, { text, at }]) => ({ run_id: key, feedback: text, timestamp: at }))
  return `${JSON.stringify({ run, reviews, status: 'complete' }, null, 2)}\n`
}

/** Remarks as they were kept by the browser; what is none is left out. */
export const readRemarks = (kept: string | null): Remarks => {
  const remarks: Record<string, Remark> = Object.create(null)
  for (const [key, value] of Object.entries(parsed(kept))) {
    const { text, at } = (value ?? {}) as Partial<Record<keyof Remark, unknown>>
    if (typeof text === 'string' && typeof at === 'string') remarks[key] = { text, at }
  }
  return remarks
}

const parsed = (kept: string | null): object => {
  try {
    const value: unknown = JSON.parse(kept ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    // It was kept by something else.
    return {}
  }
}
