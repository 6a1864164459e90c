import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import type { Skill, SkillProblem, SkillResource } from '../core/skill.ts'
import { loadMarkdown } from '../lib/markdown.ts'
import { visibleLine } from '../lib/visible.ts'
import { cleanText, leftOut } from './clean-text.ts'
import { binaryType } from './file-kind.ts'
import { type FoundResource, findResource } from './find-resource.ts'
import { isUtf8 } from './is-utf8.ts'
import { parseLineRange, sliceLines } from './slice-lines.ts'

export type ResourceRequest = { readonly path: string; readonly section?: string; readonly lines?: string }

export const maxResourceBytes = 256 * 1024

// Of larger files only the head is known: finding a line means reading all before it.
const maxLineFileBytes = 8 * 1024 * 1024

/**
 * One file of a skill for a model's eyes: whole, only the part below a heading, or only some lines; at most 256 KiB,
 * with a note of what was cut. A binary file is described, not shown. `bytes` is the size of what is shown of the file,
 * or of a binary one.
 */
export const loadResource = async (
  skill: Skill,
  request: ResourceRequest,
  files: Files,
): Promise<SkillResource | SkillProblem> => {
  if (request.section !== undefined && request.lines !== undefined)
    return { problem: 'Give either a section or lines, not both.' }
  const found = findResource(skill, request.path, files)
  if ('problem' in found) return found
  try {
    return await read(found, request, files.resolved())
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { problem: `"${visibleLine(found.path, 120)}" can't be read: ${error.message}.` }
  }
}

const read = async (
  found: FoundResource,
  request: ResourceRequest,
  files: Files,
): Promise<SkillResource | SkillProblem> => {
  const head = readText(found, files)
  if (head.binary) {
    const type = binaryType(found.path, head.text)
    return { text: `[${found.path}: ${type}, ${inBytes(found.size)}, not shown]`, bytes: found.size, binary: true }
  }
  if (request.lines !== undefined) return readLines(found, request.lines, head, files)
  if (request.section !== undefined) return readSection(found, request.section, head)
  const whole = head.complete
    ? undefined
    : `[cut: the first ${inBytes(Buffer.byteLength(head.text))} of ${inBytes(found.size)}; ask for lines or a section]`
  return shown(head.text, whole)
}

type Head = { readonly text: string; readonly complete: boolean; readonly binary: boolean }

const readText = ({ file, size }: FoundResource, files: Files): Head => {
  const { text } = files.readHead(file, maxResourceBytes)
  const complete = size <= maxResourceBytes
  // A character that the cut has halved is no sign of a binary file.
  const whole = complete ? text : text.replace(/\ufffd{1,3}$/, '')
  if (whole.includes('\0')) return { text, complete, binary: true }
  if (!whole.includes('\ufffd')) return { text: whole, complete, binary: false }
  return { text: whole, complete, binary: !complete || !isUtf8(files.readBytes(file, maxResourceBytes)) }
}

const readLines = (
  { file, path, size }: FoundResource,
  written: string,
  head: Head,
  files: Files,
): SkillResource | SkillProblem => {
  const range = parseLineRange(written)
  if (range === undefined)
    return { problem: `The lines "${visibleLine(written, 40)}" can't be read: write "10-40", "10-" or "10".` }
  const isWhole = head.complete || size <= maxLineFileBytes
  const lines = head.complete || !isWhole ? linesOf(head.text) : files.lines(file)
  const slice = sliceLines(lines, range, maxResourceBytes)
  if (!slice.ok) {
    const looked = isWhole ? '' : ' in its first 256 KiB, further than which is not looked'
    return { problem: `"${visibleLine(path, 120)}" has ${slice.total} lines${looked}, fewer than ${range.from}.` }
  }
  return shown(slice.text, slice.cut ? '[cut: the lines are more than 256 KiB; ask for fewer]' : undefined)
}

const linesOf = (text: string): readonly string[] => {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

const mostHeadings = 50

const readSection = async (
  { path }: FoundResource,
  section: string,
  head: Head,
): Promise<SkillResource | SkillProblem> => {
  const markdown = await loadMarkdown()
  const part = markdown.section(head.text, section)
  if (part !== undefined) return shown(part, head.complete ? undefined : '[only the first 256 KiB were looked at]')
  const headings = markdown
    .headings(head.text)
    .map(({ level, text }) => `${'#'.repeat(level)} ${visibleLine(text, 80)}`)
  const more = headings.length > mostHeadings ? `, and ${headings.length - mostHeadings} more` : ''
  const there =
    headings.length === 0 ? 'It has none.' : `There is: ${headings.slice(0, mostHeadings).join(', ')}${more}.`
  const looked = head.complete ? '' : ' in its first 256 KiB'
  return { problem: `"${visibleLine(path, 120)}" has no heading "${visibleLine(section, 80)}"${looked}. ${there}` }
}

const shown = (written: string, note: string | undefined): SkillResource => {
  const { text, removed } = cleanText(written.startsWith('\ufeff') ? written.slice(1) : written)
  const notes = [...(note === undefined ? [] : [note]), ...(removed > 0 ? [`[${leftOut(removed)}]`] : [])]
  return { text: [text, ...notes].join('\n'), bytes: Buffer.byteLength(text), binary: false }
}

const inBytes = (count: number): string => `${count.toLocaleString('en')} bytes`
