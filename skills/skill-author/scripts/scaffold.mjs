#!/usr/bin/env node
// Prints a SKILL.md, or a suite of trigger tests for it, made from the templates in assets/.
import { readFileSync } from 'node:fs'
import { readArguments, run, shown, Usage } from '../lib/cli.mjs'
import { checkDescription, checkName } from '../lib/description.mjs'

const HELP = `usage: scaffold.mjs --name NAME --does TEXT --when TEXT [options]

Prints a SKILL.md on standard output, and what to improve in its description on standard error. Writes no file.

  --name NAME       lowercase letters, digits and hyphens; also the name of the skill's folder
  --does TEXT       what the skill does, third person, beginning with a verb: "Extracts tables from PDF files"
  --when TEXT       when to use it, after "Use when": "the user asks for the tables of a .pdf"; repeatable
  --not TEXT        what it is not for, after "Not for": "scanned pages"; repeatable
  --script FILE     a script to mention (a .py, .sh, .mjs, .js, .cjs or .ts file name); repeatable
  --reference FILE  a reference to mention (a .md file name); repeatable
  --asset FILE      an asset to mention (a file name); repeatable
  --license ID      license in the frontmatter
  --suite           print a suite of trigger tests (a .eval.yaml for skills-eval) instead of the SKILL.md;
                    --when become queries that should trigger the skill, --not those that should not

exit codes: 0 done, 1 the name or the description breaks the standard, 2 wrong arguments
`

const FILE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

function main(argv) {
  const many = { type: 'string', multiple: true, default: [] }
  const { values: options, positionals } = readArguments(argv, {
    name: { type: 'string' }, does: { type: 'string' }, when: many, not: many,
    script: many, reference: many, asset: many, license: { type: 'string' }, suite: { type: 'boolean' },
  })
  if (positionals.length > 0) throw new Usage(`unknown argument: ${shown(positionals[0])}`)
  for (const name of ['name', 'does']) if (!options[name]?.trim()) throw new Usage(`--${name} is needed`)
  if (options.when.length === 0) throw new Usage('--when is needed')
  fileNames('--script', options.script, /\.(?:py|sh|mjs|js|cjs|ts)$/)
  fileNames('--reference', options.reference, /\.md$/)
  fileNames('--asset', options.asset, /./)
  if (options.license !== undefined && !/^[\w.+() -]{1,100}$/.test(options.license)) throw new Usage(`not a license name: ${shown(options.license)}`)

  const description = describe(options)
  const findings = [...checkName(options.name), ...checkDescription(description)]
  for (const { severity, rule, message } of findings) process.stderr.write(`${severity}  ${rule}  ${message}\n`)
  if (findings.some(({ severity }) => severity === 'error')) return 1
  process.stdout.write(fill(template(options.suite ? 'trigger-suite.yaml' : 'skill-template.md'), values(options, description)))
  return 0
}

function fileNames(option, names, pattern) {
  for (const name of names) if (!FILE.test(name) || !pattern.test(name)) throw new Usage(`${option} ${shown(name)}: expected a file name ${pattern.source === '.' ? '' : `ending in ${pattern.source.replaceAll(/[\\$?:]/g, '')}`}`.trimEnd())
}

function describe({ does, when, not }) {
  const limits = not.length === 0 ? '' : ` Not for ${list(not, 'or')}.`
  return `${sentence(does)}. Use when ${list(when, 'or')}.${limits}`
}

function sentence(text) {
  const bare = flat(text)
  return bare.charAt(0).toUpperCase() + bare.slice(1)
}

function flat(text) {
  return text.replace(/\s+/g, ' ').trim().replace(/\.+$/, '')
}

function list(texts, word) {
  const parts = texts.map(flat)
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`
}

function values(options, description) {
  return {
    name: options.name,
    // JSON strings are YAML strings, so nothing in a description can break the frontmatter.
    description: JSON.stringify(description),
    title: sentence(options.name.replaceAll('-', ' ')),
    license: options.license === undefined ? [] : [options.license],
    scripts: options.script,
    references: options.reference,
    assets: options.asset,
    nots: options.not.map(flat),
    should: options.when.map((text) => JSON.stringify(flat(text))),
    should_not: options.not.map((text) => JSON.stringify(flat(text))),
  }
}

function template(name) {
  return readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')
}

/** {{name}} is replaced; {{#list}} … {{/list}} is repeated per item with {{.}}; {{?list}} … {{/?list}} stays if there is any. */
function fill(text, given) {
  const known = (name) => (Object.hasOwn(given, name) ? given[name] : '')
  // What users typed goes in last of all, so braces in it stay as they are.
  return text
    .replace(/^\{\{\?(\w+)\}\}\n([\s\S]*?)^\{\{\/\?\1\}\}\n/gm, (_, name, inner) => (known(name).length > 0 ? inner : ''))
    .replace(/^\{\{#(\w+)\}\}\n([\s\S]*?)^\{\{\/\1\}\}\n|\{\{(\w+)\}\}/gm, (_, block, inner, name) => {
      if (block === undefined) return known(name)
      return known(block).map((item) => inner.replaceAll('{{.}}', () => item)).join('')
    })
}

run(main, HELP)
