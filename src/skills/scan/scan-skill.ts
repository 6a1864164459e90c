import type { Files } from '../../core/ports.ts'
import type { CodeLanguage } from './code-language.ts'
import { type FileNature, fileNature, hasMagic, isRunFolder } from './file-nature.ts'
import { scanHiddenText } from './hidden-text.ts'
import { scanCode } from './scan-code.ts'
import { scanData } from './scan-data.ts'
import { scanDeclared } from './scan-declared.ts'
import { scanDocument } from './scan-document.ts'
import { scanEncoded } from './scan-encoded.ts'
import { type ScanFinding, type ScanLog, type ScannedText, scanLog } from './scan-log.ts'
import { scanName } from './scan-name.ts'
import { scanProse } from './scan-prose.ts'
import { type ScanRuleId, type ScanSeverity, scanSeverities } from './scan-rules.ts'
import { scanRuns } from './scan-runs.ts'
import { type ScannedFile, scannedFiles } from './scanned-files.ts'

export type SkillScan = {
  /** The worst first, then by place. */
  readonly findings: readonly ScanFinding[]
  /** False where a bound was hit: then it is not known what else there is. */
  readonly complete: boolean
  readonly files: number
  readonly bytes: number
}

/**
 * What a person should know of a skill before using it: what its scripts reach for, text that tries to command the agent,
 * and what it declares otherwise than it is. Looks at every file of the folder (absolute), runs nothing, in linear time and
 * within bounds; each bound that is hit is a finding. No finding is no promise. Never throws for what is on disk.
 */
export const scanSkill = (files: Files, folder: string): SkillScan => {
  const log = scanLog()
  const scripts = new Map<string, ReadonlySet<ScanRuleId>>()
  let main: ScannedFile | undefined
  let count = 0
  let bytes = 0
  for (const file of scannedFiles(folder, files, log)) {
    count += 1
    bytes += file.size
    if (file.path === 'SKILL.md' || (file.path === 'skill.md' && main === undefined)) main = file
    scanFile(file, scripts, log)
  }
  if (main !== undefined) scanDeclared({ text: main.text, file: main.path, scripts }, log)
  const findings = log.findings().toSorted(worstFirst)
  return { findings, complete: !findings.some(({ rule }) => rule === 'not-checked'), files: count, bytes }
}

const worstFirst = (a: ScanFinding, b: ScanFinding): number =>
  scanSeverities.indexOf(b.severity) - scanSeverities.indexOf(a.severity) ||
  (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1)

const scanFile = (file: ScannedFile, scripts: Map<string, ReadonlySet<ScanRuleId>>, log: ScanLog): void => {
  const { path, head } = file
  scanName(path, log)
  const nature = fileNature(path, head, file.text)
  const hasNul = file.text.includes('\0')
  // Shells pass over a NUL in a script.
  const source: ScannedText = { file: path, text: hasNul ? file.text.replaceAll('\0', '') : file.text, line: 1 }
  const isOpen = nature.kind === 'document' || nature.kind === 'data' || nature.kind === 'code'
  if (!isOpen) scanClosed(path, nature, log)
  if (!isOpen && nature.kind !== 'unknown' && (file.size === 0 || hasMagic(head))) return
  if (file.looked < file.size) {
    const sizes = `${Math.round(file.looked / 1024)} KiB of ${Math.round(file.size / 1024)} KiB`
    // Much data is nothing unusual; many instructions or much code is.
    const severity = nature.kind === 'document' || nature.kind === 'code' ? 'high' : 'medium'
    log.report('not-checked', path, `only ${sizes} were looked at`, { severity })
  }
  if (!isOpen) {
    scanRuns({ ...source, text: file.text }, isRunFolder(path), log)
    return
  }
  if (nature.kind === 'code') {
    if (nature.misnamed !== undefined) log.report('hidden-file', path, nature.misnamed, { severity: 'medium' })
    const met = scanProgram(source, nature.language, hasNul, isImage(path) ? milder(log) : log)
    // Text that nobody says is a script is none that has to be declared.
    if (nature.language !== 'unknown') scripts.set(path, met)
  }
  if (nature.kind === 'document') scanDocument(source, log)
  else scanProse(source, 'data', log)
  if (nature.kind === 'data') scanData(source, log)
  scanHiddenText(source, log)
  scanEncoded(source, scripts.has(path), log)
}

/** What is no text, by what its name and its first bytes say. */
const scanClosed = (path: string, nature: FileNature, log: ScanLog): void => {
  const what = 'what' in nature ? nature.what : undefined
  const closed = closedSeverity[nature.kind]
  const unknown = { rule: 'opaque-file', severity: isRunFolder(path) ? 'medium' : 'low' } as const
  const { rule, severity } = closed ?? unknown
  if (what !== undefined) log.report(rule, path, what, { severity })
}

/** What can't be looked into. */
const closedSeverity: Readonly<Partial<Record<FileNature['kind'], { rule: ScanRuleId; severity: ScanSeverity }>>> = {
  program: { rule: 'native-program', severity: 'high' },
  compiled: { rule: 'native-program', severity: 'medium' },
  archive: { rule: 'opaque-file', severity: 'medium' },
  locked: { rule: 'opaque-file', severity: 'high' },
  media: { rule: 'opaque-file', severity: 'info' },
}

const scanProgram = (
  source: ScannedText,
  language: CodeLanguage,
  hasNul: boolean,
  log: ScanLog,
): ReadonlySet<ScanRuleId> => {
  const { file } = source
  if (hasNul) log.report('hidden-text', file, 'bytes in a script that are no text', { severity: 'medium' })
  // What nobody calls a script is less likely run, unless it lies where scripts do.
  const place = language === 'unknown' && !isRunFolder(file) ? 'instructions' : 'script'
  const met = scanCode(source, language, place, log)
  if (isExfiltration(met)) log.report('exfiltration', file, 'it reads secrets and uses the network')
  return met
}

/** What is run while an image is built stays inside it. */
const isImage = (path: string): boolean => /(?:^|\/)(?:docker|container)file[^/]*$|\.dockerfile$/i.test(path)

const milder = (log: ScanLog): ScanLog => ({
  ...log,
  report: (rule, file, message, details) =>
    log.report(rule, file, message, {
      ...details,
      ...(details?.severity === 'high' && { severity: 'medium' as const }),
    }),
})

const isExfiltration = (met: ReadonlySet<ScanRuleId>): boolean =>
  met.has('network-access') && (met.has('credential-files') || met.has('environment-dump'))
