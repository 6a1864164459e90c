import type { Finding } from './finding.ts'
import { depthIn, type Path } from './path.ts'
import type { JsonRecord } from './record.ts'

/** A finding about a merged case, moved to where it was written: in the case (at `path`) where it has that, else in `defaults`. */
export const placeInCase = (finding: Finding, own: JsonRecord, path: Path, defaults: JsonRecord): Finding => {
  const isOwn = depthIn(own, finding.path) >= depthIn(defaults, finding.path)
  return { ...finding, path: [...(isOwn ? path : ['defaults']), ...finding.path] }
}
