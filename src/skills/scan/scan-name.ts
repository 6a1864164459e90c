import { visible } from '../../lib/visible.ts'
import { isUsualHidden } from './file-names.ts'
import { plainProse } from './plain-prose.ts'
import type { ScanLog } from './scan-log.ts'
import { scanProse } from './scan-prose.ts'

/** What the name of a file does by itself: to who reads a list of files, and to the programs that are given it. */
export const scanName = (path: string, log: ScanLog): void => {
  const parts = path.split('/')
  if (parts.some((part) => part.startsWith('.')) && !parts.some(isUsualHidden))
    log.report('hidden-file', path, 'its name starts with a dot')
  if (visible(path) !== path) log.report('hidden-text', path, 'invisible characters in a name')
  else if (parts.some(isLookAlike))
    log.report('hidden-text', path, 'letters of another alphabet in a name, that look like Latin ones', {
      severity: 'medium',
    })
  if (parts.some((part) => /^-/.test(part)))
    log.report('hidden-file', path, 'its name reads like an option of a program', { severity: 'medium' })
  if (/[`;|<>\n\r]|&&|\$[({]/.test(path))
    log.report('dynamic-code', path, 'its name is a command, where a script does not quote it', { severity: 'medium' })
  if (
    /\.(?:pdf|docx?|xlsx?|png|jpe?g|gif|txt|csv|zip)[\s_]{0,200}\.(?:sh|py|js|exe|bat|cmd|ps1|vbs|scr|command|app|hta|lnk)$/i.test(
      path,
    )
  )
    log.report('hidden-file', path, 'its name looks like that of a document, and is that of a program', {
      severity: 'medium',
    })
  const said = parts.map((part) => part.replace(/[-_.]+/g, ' ')).join('\n\n')
  if (/\s/.test(said)) scanProse({ file: path, text: said, line: 1 }, 'data', log)
}

const isLookAlike = (name: string): boolean =>
  /[^\0-\x7f]/.test(name) &&
  /[a-z]/i.test(name) &&
  plainProse(name).text !== name &&
  /[\p{Script=Cyrillic}\p{Script=Greek}\uff01-\uff5e]/u.test(name)
