import { visibleLine } from '../lib/visible.ts'
import type { CheckedSkill } from './checked-skill.ts'
import { findMentions } from './find-mentions.ts'
import { joinPath } from './paths.ts'
import { placeAt } from './place-at.ts'

/** Looks whether what the instructions refer to is there, inside the skill, and at most one folder deep. */
export const checkMentions = ({ dir, body, files, log }: CheckedSkill, paths: readonly string[]): void => {
  const known = new Set(paths)
  for (const { path: written, offset } of findMentions(body.text)) {
    const place = () => placeAt(body.text, offset, body.line)
    const shown = visibleLine(written, 120)
    const path = normalize(written)
    if (path === undefined) log.report('reference-outside', `${shown} leads out of the skill`, { place })
    else if (!known.has(path) && files.realPath(joinPath(dir, path)) === undefined)
      log.report('reference-missing', `${shown} does not exist`, { place })
    else if (known.has(path) && path.split('/').length > 2)
      log.report('reference-nested', `${shown} is more than one folder deep`, { place })
  }
}

/** Without `.` and `..`; undefined where it leaves the skill. */
const normalize = (path: string): string | undefined => {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}
