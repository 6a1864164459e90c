import type { Message } from '../../core/model.ts'
import { isRecord, recordsOf } from './wire.ts'

/** Whose answer it was: only they can read back what they signed. */
export type NativeMark = { readonly provider: string; readonly model: string }

/** An answer in the provider's own form, to be given back unchanged; undefined where it is not this provider's and model's. */
export const nativeFor = (
  message: Extract<Message, { readonly role: 'assistant' }>,
  { provider, model }: NativeMark,
): Record<string, unknown>[] | undefined => {
  const { native } = message
  if (!isRecord(native) || native.provider !== provider || native.model !== model) return undefined
  const content = recordsOf(native.content)
  return content.length === 0 ? undefined : [...content]
}
