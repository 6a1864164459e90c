import { visibleLine } from '../lib/visible.ts'
import type { Place, SkillLog } from './diagnose.ts'

const maxLength = 64

/**
 * The standard's rules for `name`, in the order of its reference validator: compared after trimming and NFKC, lengths
 * in code points, letters and digits of any script. `folders` are the names under which the folder is reached.
 */
export const checkName = (name: string, folders: readonly string[], log: SkillLog, place: () => Place): void => {
  const normal = normalName(name)
  const shown = visibleLine(normal, 80)
  const length = normal.length > maxLength ? [...normal].length : normal.length
  if (length > maxLength)
    log.report('name-length', `the name has ${length} characters, more than ${maxLength}`, { place })
  if (normal !== normal.toLowerCase())
    log.report('name-lowercase', `the name ${shown} is not lowercase`, {
      place,
      hint: `Call it ${visibleLine(normal.toLowerCase(), 80)}, and its folder too.`,
    })
  if (normal.startsWith('-') || normal.endsWith('-'))
    log.report('name-hyphens', `the name ${shown} starts or ends with a hyphen`, { place })
  if (normal.includes('--')) log.report('name-double-hyphen', `the name ${shown} has two hyphens in a row`, { place })
  if (!allowed.test(normal))
    log.report('name-characters', `the name ${shown} has other characters than letters, digits and hyphens`, { place })
  const [folder] = folders
  if (folder !== undefined && !folders.some((each) => normalName(each) === normal))
    log.report('name-directory', `the name ${shown} differs from its folder, ${visibleLine(folder, 80)}`, { place })
  if (!/^[\x20-\x7e]*$/.test(normal)) log.report('name-ascii', `the name ${shown} is not plain ASCII`, { place })
}

/** How names are compared everywhere. */
export const normalName = (name: string): string => name.trim().normalize('NFKC')

/** Whether a name can be shown on a line and typed: it has no control, format or separator characters. */
export const isUsableName = (name: string): boolean => name !== '' && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)

// Equal to Python's isalnum over all code points, which the reference validator uses.
const allowed = /^[\p{L}\p{N}-]+$/u
