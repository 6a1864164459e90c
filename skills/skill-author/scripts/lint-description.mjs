#!/usr/bin/env node
// Lints the name and description of skills: do they say what the skill does and when to use it?
import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure, isFolder, readArguments, readText, run, shown, Usage } from '../lib/cli.mjs'
import { checkDescription, checkName, overlap } from '../lib/description.mjs'
import { readFrontmatter } from '../lib/frontmatter.mjs'

const HELP = `usage: lint-description.mjs SKILL… [--neighbours FOLDER] [--level error|warning|info] [--json]
       lint-description.mjs --text DESCRIPTION [--neighbours FOLDER] …

SKILL is a SKILL.md, a folder that holds one, or a folder of such folders.

  --text TEXT          lint a description that is not in a file yet
  --neighbours FOLDER  compare with the skills of this folder, for descriptions that compete
  --level SEVERITY     report this and worse (default info); infos alone don't fail
  --json               print {skills: [{skill, findings}], errors, warnings, infos}

exit codes: 0 no errors or warnings, 1 some, or a file can't be read, 2 wrong arguments
`

const SEVERITIES = ['error', 'warning', 'info']
const MAX_SKILLS = 500
const COMPETES = 0.5

function main(argv) {
  const { values: options, positionals } = readArguments(argv, {
    text: { type: 'string' },
    neighbours: { type: 'string' },
    level: { type: 'string', default: 'info' },
    json: { type: 'boolean' },
  })
  if ((options.text === undefined) === (positionals.length === 0)) throw new Usage('expected skills, or --text, and not both')
  if (!SEVERITIES.includes(options.level)) throw new Usage(`--level is one of ${SEVERITIES.join(', ')}`)
  const neighbours = options.neighbours === undefined ? [] : skillFiles(options.neighbours).map((path) => readSkill(path))
  const skills = options.text === undefined ? positionals.flatMap(skillFiles).map(readSkill) : [{ label: '--text', name: undefined, description: options.text, findings: checkDescription(options.text) }]
  const reports = skills.map((skill) => ({
    skill: skill.label,
    findings: [...skill.findings, ...competition(skill, neighbours)]
      .filter(({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(options.level))
      .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
  }))
  const [errors, warnings, infos] = SEVERITIES.map((severity) => reports.flatMap((report) => report.findings).filter((finding) => finding.severity === severity).length)
  if (options.json) process.stdout.write(`${JSON.stringify({ skills: reports, errors, warnings, infos }, undefined, 2)}\n`)
  else print(reports, { errors, warnings, infos })
  return errors + warnings > 0 ? 1 : 0
}

/** The SKILL.md files that a path stands for, sorted. */
function skillFiles(path) {
  if (!isFolder(path)) return [path]
  const own = list(path).find((name) => name === 'SKILL.md')
  if (own) return [join(path, own)]
  const inner = list(path).sort().filter((name) => isFolder(join(path, name)) && list(join(path, name)).includes('SKILL.md'))
  if (inner.length === 0) throw new Failure(`no SKILL.md in ${shown(path)} or in the folders right below it`)
  if (inner.length > MAX_SKILLS) throw new Failure(`more than ${MAX_SKILLS} skills in ${shown(path)}`)
  return inner.map((name) => join(path, name, 'SKILL.md'))
}

function list(path) {
  try {
    return readdirSync(path)
  } catch (error) {
    throw new Failure(`can't read ${shown(path)}: ${error.code ?? 'unknown error'}`)
  }
}

function readSkill(path) {
  const { fields, findings } = readFrontmatter(readText(path))
  const [name, description] = [fields.get('name'), fields.get('description')]
  // A file that is called SKILL.md lies in its skill's folder; a draft under another name has none yet.
  const folder = basename(path) === 'SKILL.md' ? basename(dirname(resolve(path))) : undefined
  const at = (field, list_) => list_.map((finding) => ({ ...finding, line: field?.line ?? 1 }))
  if (findings.some(({ rule }) => rule === 'no-frontmatter')) return { label: path, name: undefined, description: '', findings }
  return {
    label: path,
    name: name?.value,
    description: description?.value ?? '',
    findings: [...findings, ...at(name, checkName(name?.value, folder)), ...at(description, checkDescription(description?.value))],
  }
}

function competition(skill, neighbours) {
  const rivals = neighbours
    .filter(({ name }) => name !== skill.name)
    .map(({ name, label, description }) => ({ name: name ?? label, ...overlap(skill.description, description) }))
    .filter(({ share, shared }) => share >= COMPETES && shared.length >= 4)
  return rivals.map(({ name, share, shared }) => ({
    severity: 'warning',
    rule: 'competes',
    message: `shares ${Math.round(share * 100)} % of its words with ${name} (${shown(shared.slice(0, 12).join(', '))}); say in both which requests belong to which`,
  }))
}

function print(reports, totals) {
  for (const { skill, findings } of reports) {
    for (const { severity, rule, line, message } of findings) {
      process.stdout.write(`${shown(skill)}${line === undefined ? '' : `:${line}`}: ${severity}  ${rule}  ${shown(message, 400)}\n`)
    }
  }
  const counts = [[totals.errors, 'error'], [totals.warnings, 'warning'], [totals.infos, 'info']].filter(([n]) => n > 0)
  const text = counts.map(([n, word]) => `${n} ${word}${n === 1 ? '' : 's'}`).join(', ')
  process.stdout.write(`${reports.length} ${reports.length === 1 ? 'skill' : 'skills'}: ${text || 'no findings'}\n`)
}

run(main, HELP)
