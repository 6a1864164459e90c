/** `used`: what the run did with each skill. `head`: the run without its cases. `rows`: what lists need of some cases. `cases`, `base`: some cases whole, of the run and of the one it is compared with. */
export type BlockKind = 'head' | 'rows' | 'cases' | 'base' | 'used'

/** The media type of a block: no browser runs it. */
export const BLOCK_TYPE = 'application/x-skills-eval'

/**
 * Packed JSON as an element that holds data. `first` is the number of its first item among all of its kind. What is
 * packed is base64, so that nothing in it can be markup.
 */
export const dataBlock = (kind: BlockKind, first: number, packed: string): string =>
  `<script type="${BLOCK_TYPE}" data-kind="${kind}" data-first="${first}">${packed}</script>\n`

/** About as much text as is packed at a time: unpacked in a few milliseconds, and what a report holds while it is written. */
const BLOCK_LENGTH = 256 * 1024

/** Gathers the JSON texts of items into blocks. Each call returns the blocks that are full; `end` returns the rest. */
export const blockWriter = (kind: BlockKind, pack: (text: string) => string) => {
  let pending: string[] = []
  let length = 0
  let first = 0
  const end = (): string => {
    if (pending.length === 0) return ''
    const block = dataBlock(kind, first, pack(`[${pending.join(',')}]`))
    first += pending.length
    pending = []
    length = 0
    return block
  }
  return {
    add: (json: string): string => {
      pending.push(json)
      length += json.length
      return length < BLOCK_LENGTH ? '' : end()
    },
    end,
  }
}
