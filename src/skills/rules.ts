import type { Severity } from '../core/diagnostic.ts'

/** How a skill is judged: `strict` as its author's validator, `lenient` as a client that wants to use it. */
export type SkillMode = 'strict' | 'lenient'

type RuleRow = {
  readonly strict: Severity
  /** When loading; an `error` skips the skill, `off` is not looked at. */
  readonly lenient: Severity | 'off'
  readonly summary: string
  readonly hint: string
}

const row = (strict: Severity, lenient: Severity | 'off', summary: string, hint: string): RuleRow => ({
  strict,
  lenient,
  summary,
  hint,
})

// The standard's rules in the order in which its reference validator looks, then what authors are glad of.
const table = {
  'path-missing': row('error', 'error', 'The path exists.', 'Check the path.'),
  'not-a-folder': row('error', 'error', 'A skill is a folder.', 'Give the folder that holds SKILL.md.'),
  'file-missing': row('error', 'error', 'The folder holds SKILL.md.', 'Add a SKILL.md with a name and a description.'),
  'file-name': row('warning', 'warning', 'The file is called SKILL.md, in capitals.', 'Rename it to SKILL.md.'),
  'not-a-file': row('error', 'error', 'SKILL.md is a regular file.', 'Make SKILL.md a regular text file.'),
  'link-outside': row(
    'error',
    'warning',
    'Links stay inside the root.',
    'Copy what the link points at into the skill.',
  ),
  'file-too-large': row('error', 'error', 'SKILL.md is at most 1 MiB.', 'Move long material into references/.'),
  'file-unreadable': row('error', 'error', 'SKILL.md can be read.', 'Check the permissions of the file.'),
  'folder-unreadable': row('error', 'warning', 'Folders can be looked into.', 'Check the permissions of the folder.'),
  'not-utf8': row('error', 'warning', 'SKILL.md is UTF-8 text.', 'Save it as UTF-8.'),
  'nul-byte': row('error', 'error', 'SKILL.md has no NUL bytes.', 'Save it as plain UTF-8 text.'),
  bom: row('warning', 'info', 'SKILL.md has no byte order mark.', 'Save it as UTF-8 without a byte order mark.'),
  'leading-blank-line': row(
    'error',
    'warning',
    'The frontmatter starts on line 1.',
    'Remove what is above the first ---.',
  ),
  'frontmatter-missing': row('error', 'error', 'SKILL.md starts with a frontmatter.', 'Make --- the first line.'),
  'frontmatter-unclosed': row('error', 'error', 'The frontmatter is closed.', 'End it with a line that is only ---.'),
  'frontmatter-too-large': row('error', 'error', 'The frontmatter is at most 64 KiB.', 'Move the text into the body.'),
  'frontmatter-map': row('error', 'error', 'The frontmatter is a map of fields.', 'Write fields as `name: value`.'),
  'unquoted-colon': row('error', 'warning', 'A value with ": " in it is quoted.', 'Put the value in double quotes.'),
  'yaml-syntax': row('error', 'error', 'The frontmatter is valid YAML.', 'Check quotes and indentation.'),
  'yaml-too-deep': row('error', 'error', 'The frontmatter nests at most 64 levels.', 'Flatten it.'),
  'yaml-too-many-keys': row(
    'error',
    'error',
    'The frontmatter has at most 1,000 values.',
    'Leave out what is not needed.',
  ),
  'yaml-duplicate-key': row('error', 'error', 'A field appears once.', 'Keep one of the two.'),
  'yaml-key': row('error', 'error', 'A key is a word.', 'Write `key: value`.'),
  'yaml-alias': row('error', 'error', 'No anchors or aliases.', 'Write the value out.'),
  'yaml-tag': row('error', 'error', 'No YAML tags.', 'Leave the tag out.'),
  'yaml-multiple-documents': row('error', 'error', 'One YAML document.', 'Remove the --- between them.'),
  'unknown-field': row('error', 'info', 'Only fields of the standard.', 'Move it below metadata, or remove it.'),
  'name-missing': row('error', 'warning', 'name is there.', "Add `name:` with the folder's name."),
  'name-length': row('error', 'warning', 'name has at most 64 characters.', 'Shorten the name and the folder.'),
  'name-lowercase': row('error', 'warning', 'name is lowercase.', 'Write the name and the folder in lowercase.'),
  'name-hyphens': row('error', 'warning', 'name neither starts nor ends with a hyphen.', 'Remove the outer hyphen.'),
  'name-double-hyphen': row('error', 'warning', 'name has no two hyphens in a row.', 'Use one hyphen.'),
  'name-characters': row(
    'error',
    'warning',
    'name has letters, digits, hyphens only.',
    'Use a-z, 0-9 and single hyphens.',
  ),
  'name-directory': row('error', 'warning', "name equals the folder's name.", 'Rename one of the two.'),
  'name-ascii': row('info', 'off', 'name is plain ASCII.', 'Some tools only accept a-z, 0-9 and hyphens.'),
  'description-missing': row('error', 'error', 'description is there.', 'Say what it does and when to use it.'),
  'description-length': row(
    'error',
    'warning',
    'description has at most 1,024 characters.',
    'Move details into the body.',
  ),
  'description-when': row('warning', 'off', 'description says when to use it.', 'Add a sentence like "Use when …".'),
  'compatibility-type': row('error', 'warning', 'compatibility is text.', 'Write it as one text.'),
  'compatibility-length': row('error', 'warning', 'compatibility has at most 500 characters.', 'Shorten it.'),
  'compatibility-empty': row('warning', 'off', 'compatibility is not empty.', 'Fill it in or remove it.'),
  'license-type': row('warning', 'warning', 'license is text.', 'Write it as one text.'),
  'metadata-map': row(
    'warning',
    'warning',
    'metadata maps names to texts.',
    'Write it as `metadata:` with `key: text` below.',
  ),
  'metadata-nested': row('warning', 'warning', 'metadata is not nested.', 'Write the value as one text.'),
  'allowed-tools-spelling': row(
    'info',
    'info',
    'allowed-tools is spelled so.',
    'The standard spelling is allowed-tools.',
  ),
  'allowed-tools-unreadable': row('error', 'warning', 'allowed-tools can be read.', 'Write e.g. `Bash(git:*) Read`.'),
  'allowed-tools-rule': row(
    'warning',
    'off',
    'What allowed-tools names can be used.',
    'Write e.g. `Read`, `Write(out/**)`, `Bash(git:*)`.',
  ),
  'control-flag': row('warning', 'warning', 'A control is true or false.', 'Write true or false.'),
  'angle-brackets': row('warning', 'off', 'name and description have no < or >.', 'Some tools refuse them: use words.'),
  'invisible-characters': row(
    'warning',
    'warning',
    'No invisible characters.',
    'Remove them: they can hide instructions.',
  ),
  'body-empty': row('warning', 'off', 'There are instructions.', 'Write below the frontmatter what to do.'),
  'body-lines': row('warning', 'off', 'The body has at most 500 lines.', 'Move parts into references/.'),
  'body-tokens': row('warning', 'off', 'The body has at most about 5,000 tokens.', 'Move parts into references/.'),
  'suspicious-command': row(
    'warning',
    'off',
    'Nothing is downloaded and run unseen.',
    'Show the code, or pin and check it.',
  ),
  'reference-missing': row('warning', 'off', 'Referenced files exist.', 'Add the file or correct the path.'),
  'reference-outside': row('warning', 'off', 'References stay inside the skill.', 'Copy the file into the skill.'),
  'reference-nested': row(
    'warning',
    'off',
    'References are one level deep.',
    'Name the file in SKILL.md itself, at most one folder deep.',
  ),
  'script-shebang': row(
    'warning',
    'off',
    'Scripts start with a shebang.',
    'Begin it with e.g. `#!/usr/bin/env python3`.',
  ),
  'script-run-bit': row(
    'warning',
    'off',
    'Scripts that are run by their path have a run bit.',
    '`chmod +x` it, or write its interpreter in front.',
  ),
  'file-unreferenced': row(
    'warning',
    'off',
    'Files are mentioned somewhere.',
    'Name it where it is needed, or remove it.',
  ),
  'not-checked': row(
    'warning',
    'warning',
    'Everything was looked at.',
    'Make it smaller: what is beyond the limit is unknown.',
  ),
  'dialect-value': row('warning', 'off', 'A value means there what it says.', 'Write what that system reads.'),
  'dialect-limit': row('warning', 'off', 'Nothing is cut off there.', 'Shorten it.'),
  'dialect-ignored': row('warning', 'off', 'Nothing is passed over there.', 'Write what that system reads.'),
  'dialect-parser': row('error', 'off', 'The file can be read there.', 'Write it more simply.'),
  'dialect-section': row('warning', 'off', 'The sections that are looked for are there.', 'Add the section.'),
  'sidecar-missing': row('error', 'off', 'There is a skill.json.', 'Add one with id, version and tools_required.'),
  'sidecar-invalid': row('error', 'warning', 'skill.json can be read.', 'Correct the field.'),
  'sidecar-conflict': row('warning', 'off', 'SKILL.md and skill.json agree.', 'SKILL.md counts: correct the other.'),
  'root-missing': row('warning', 'warning', 'A skill root exists.', 'Check the path of the root.'),
  'name-shadowed': row('info', 'info', 'A name is used in one root.', 'Pick one explicitly with NAME@SOURCE.'),
  'name-duplicate': row('warning', 'warning', 'A name is used once in a root.', 'Rename one of the two.'),
  'name-twin': row('warning', 'warning', 'Names differ in more than case.', 'Rename one of the two.'),
} as const satisfies Record<string, RuleRow>

export type SkillRuleId = keyof typeof table

/** What is looked at in a skill: the code of its diagnostics, its severity in strict validation, what is asked for. */
export type SkillRule = { readonly id: string; readonly severity: Severity; readonly summary: string }

export const skillRules: readonly SkillRule[] = Object.entries(table).map(([id, { strict, summary }]) => ({
  id: `skill/${id}`,
  severity: strict,
  summary,
}))

export const skillRule = (id: SkillRuleId): RuleRow => table[id]
