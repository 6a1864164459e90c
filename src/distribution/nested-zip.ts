import { packLimits } from './limits.ts'
import { readZipLayout } from './zip-layout.ts'

const archive = /\.(zip|jar|gz|tgz|bz2|xz|zst|7z|rar|tar)$/i

/**
 * What is wrong with a file of a pack as an archive of its own. Nothing here unpacks it, but whoever uses the skill may:
 * documents are zips. Undefined for what is no zip, and for one that can't be read, which nobody unpacks.
 */
export const nestedProblem = (content: Uint8Array): string | undefined => {
  const isZip = content.length > 4 && content[0] === 0x50 && content[1] === 0x4b && content[2] === 3 && content[3] === 4
  if (!isZip) return undefined
  const records = readZipLayout(content, 0xffff)
  if ('problem' in records) return undefined
  if (records.some(({ name }) => archive.test(name))) return 'it is an archive with archives in it'
  const size = records.reduce((sum, record) => sum + record.size, 0)
  return size > packLimits.totalBytes ? 'it is an archive that unpacks to far too much' : undefined
}
