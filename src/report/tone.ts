import pc from 'picocolors'

/** What a piece of text means to its reader; where there are no colours it says the same without. */
export type Tone = 'plain' | 'strong' | 'faint' | 'good' | 'bad' | 'warn'

/** A line without its end. What others wrote in it is already safe to show. */
export type ToneLine = { readonly text: string; readonly tone: Tone }

export type Paint = (text: string, tone: Tone) => string

/** The one place where terminal colours are made. `color` is the caller's decision; the environment is not asked. */
export const painter = (color: boolean): Paint => {
  if (!color) return (text) => text
  const colors = pc.createColors(true)
  const paints = {
    plain: (text: string) => text,
    strong: colors.bold,
    faint: colors.dim,
    good: colors.green,
    bad: colors.red,
    warn: colors.yellow,
  }
  return (text, tone) => (text === '' ? '' : paints[tone](text))
}
