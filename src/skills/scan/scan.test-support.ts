import { memoryFiles } from '../../adapters/memory/memory-files.ts'
import { scanSkill } from './scan-skill.ts'

export type Entries = Record<string, string | Uint8Array>

export const skillMd = (body: string): string =>
  `---\nname: x\ndescription: Does x. Use when testing.\n---\n\n${body}\n`

/** A scan of a skill of these files, by their paths in its folder. */
export const scan = (entries: Entries) =>
  scanSkill(
    memoryFiles(
      Object.fromEntries(
        Object.entries({ 'SKILL.md': skillMd('# X'), ...entries }).map(([path, text]) => [`/s/x/${path}`, text]),
      ),
    ),
    '/s/x',
  )

/** `high download-run scripts/x.sh`, for each finding. */
export const found = (entries: Entries): string[] =>
  scan(entries).findings.map(({ severity, rule, file }) => `${severity} ${rule} ${file}`)

/** `high download-run`, for each finding in instructions with this text. */
export const inBody = (body: string): string[] =>
  scan({ 'SKILL.md': skillMd(body) }).findings.map(({ severity, rule }) => `${severity} ${rule}`)
