export type ExtraField = { readonly id: number; readonly data: Buffer }

/** The extra fields of an entry; undefined where they are not what their lengths say. */
export const extraFields = (extra: Buffer): readonly ExtraField[] | undefined => {
  const fields: ExtraField[] = []
  for (let at = 0; at < extra.length; ) {
    if (at + 4 > extra.length) return undefined
    const size = extra.readUInt16LE(at + 2)
    if (at + 4 + size > extra.length) return undefined
    fields.push({ id: extra.readUInt16LE(at), data: extra.subarray(at + 4, at + 4 + size) })
    at += 4 + size
  }
  return fields
}

const [ZIP64, UNICODE_NAME, STRONG_CIPHER, AES] = [0x0001, 0x7075, 0x0017, 0x9901]

/** What a field makes of its entry that not every reader makes of it; undefined for times, owners and the like. */
export const extraProblem = ({ id, data }: ExtraField, rawName: Buffer): string | undefined => {
  if (id === ZIP64) return 'it is in the zip64 form, which nothing of this size needs'
  if (id === STRONG_CIPHER || id === AES) return 'it is encrypted'
  if (id !== UNICODE_NAME || data.subarray(5).equals(rawName)) return undefined
  return 'it has two names, so that readers may take either'
}
