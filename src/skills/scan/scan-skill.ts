import type { Files } from '../../core/ports.ts'
import { visibleLine } from '../../lib/visible.ts'
import { encodedTexts } from './encoded-text.ts'
import { fileNature, isUsualHidden } from './file-nature.ts'
import { scanHiddenText } from './hidden-text.ts'
import { type CodeLanguage, scanCode } from './scan-code.ts'
import { scanDeclared } from './scan-declared.ts'
import { scanDocument } from './scan-document.ts'
import { type ScanFinding, type ScanLog, type ScannedText, scanLog } from './scan-log.ts'
import { scanProse } from './scan-prose.ts'
import { type ScanRuleId, scanSeverities } from './scan-rules.ts'
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
  if (/(?:^|\/)\./.test(path) && !path.split('/').some(isUsualHidden))
    log.report('hidden-file', path, 'its name starts with a dot')
  const nature = fileNature(path, head, file.text)
  // UTF-16, and scripts with a NUL in them that shells pass over, are text all the same.
  const source: ScannedText = { file: path, text: file.text.replaceAll('\0', ''), line: 1 }
  if (nature.kind === 'media') return
  if (file.looked < file.size) {
    const sizes = `${Math.round(file.looked / 1024)} KiB of ${Math.round(file.size / 1024)} KiB`
    // Much data is nothing unusual; many instructions or much code is.
    const severity = nature.kind === 'document' || nature.kind === 'code' ? 'high' : 'medium'
    log.report('not-checked', path, `only ${sizes} were looked at`, { severity })
  }
  if (nature.kind === 'program' || nature.kind === 'compiled') {
    log.report('native-program', path, nature.what, { severity: nature.kind === 'program' ? 'high' : 'medium' })
    return
  }
  if (nature.kind === 'archive' || nature.kind === 'unknown') {
    const isLess = nature.kind === 'unknown' && !path.startsWith('scripts/')
    log.report('opaque-file', path, nature.what, { severity: isLess ? 'low' : 'medium' })
    if (nature.kind === 'archive') return
  }
  if (nature.kind === 'code') scripts.set(path, scanProgram(source, nature.language, file.text.includes('\0'), log))
  if (nature.kind === 'document') scanDocument(source, log)
  else scanProse(source, 'data', log)
  scanHiddenText(source, log)
  scanEncoded(source, scripts.has(path), log)
}

const scanProgram = (
  source: ScannedText,
  language: CodeLanguage,
  hasNul: boolean,
  log: ScanLog,
): ReadonlySet<ScanRuleId> => {
  const { file } = source
  if (hasNul) log.report('hidden-text', file, 'bytes in a script that are no text', { severity: 'medium' })
  const met = scanCode(source, language, 'script', log)
  if (isExfiltration(met)) log.report('exfiltration', file, 'it reads secrets and uses the network')
  return met
}

const isExfiltration = (met: ReadonlySet<ScanRuleId>): boolean =>
  met.has('network-access') && (met.has('credential-files') || met.has('environment-dump'))

const scanEncoded = (source: ScannedText, isScript: boolean, log: ScanLog): void => {
  for (const { offset, length, decoded, isHarmless } of encodedTexts(source.text)) {
    if (isHarmless) continue
    const at = { source, offset }
    if (decoded === undefined) {
      if (isScript && length >= 400)
        log.report('encoded-payload', source.file, 'a long run of encoded bytes', { severity: 'medium', at })
      continue
    }
    const worst = worstOf(decoded, source.file)
    log.report('encoded-payload', source.file, worst ? `encoded text: ${worst}` : 'encoded text', {
      severity: worst ? 'high' : 'low',
      at,
      excerpt: visibleLine(`decoded: ${decoded}`, 160),
    })
  }
}

const worstOf = (text: string, file: string): string | undefined => {
  const log = scanLog()
  scanProse({ file, text, line: 1 }, 'comment', log)
  scanCode({ file, text, line: 1 }, 'shell', 'script', log)
  return log.findings().find(({ severity }) => severity === 'high' || severity === 'medium')?.message
}
