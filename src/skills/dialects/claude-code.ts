import { argumentNames, placeholdersIn, skillFolderPlaceholder } from '../../lib/placeholders.ts'
import { readFlag } from '../read-flag.ts'
import { actedOn, type Dialect, type DialectSkill, ignored, shownOnly } from './dialect.ts'

const maxListed = 1536

/** https://code.claude.com/docs/en/skills: every field is optional there, the folder's name is the command. */
export const claudeCode: Dialect = {
  system: 'Claude Code',
  fields: new Map([
    ['disable-model-invocation', actedOn('true hides the skill from the model')],
    ['user-invocable', actedOn('false hides the skill from people')],
    ['when_to_use', shownOnly('put it into the description, which is what the index has')],
    ['argument-hint', shownOnly('documents what $ARGUMENTS stands for')],
    [
      'arguments',
      actedOn('names for the words that a person starts the skill with; the instructions have them as $name'),
    ],
    ['context', actedOn('fork: the skill runs as an agent of its own')],
    ['agent', ignored('every skill runs inline')],
    ['background', ignored('every skill runs inline')],
    ['model', ignored('the profile of the run decides')],
    ['effort', ignored('the profile of the run decides')],
    ['hooks', ignored('nothing runs when a skill is loaded')],
    ['paths', ignored('the description decides')],
    ['shell', ignored('nothing runs when a skill is loaded')],
    ['disallowed-tools', ignored('the policy of the run denies tools')],
  ]),
  waives: ['name-missing', 'name-directory', 'description-missing', 'unknown-field'],
  check: (skill, log) => {
    const { fields, positions } = skill.frontmatter
    const at = (field: string) => () => positions.at([field])
    const listed = `${textOf(fields.description)} ${textOf(fields.when_to_use)}`.trim()
    if ([...listed].length > maxListed)
      log.report(
        'dialect-limit',
        `description and when_to_use have ${[...listed].length} characters, 1,536 are listed`,
        {
          place: at(fields.description === undefined ? 'when_to_use' : 'description'),
        },
      )
    if (fields.context !== undefined && fields.context !== 'fork')
      log.report('dialect-value', 'context is fork, or is left out', { place: at('context') })
    for (const field of ['disable-model-invocation', 'user-invocable', 'background'])
      if (fields[field] !== undefined && readFlag(fields[field]) === undefined)
        log.report('dialect-value', `${field} is neither true nor false`, { place: at(field) })
    if (readFlag(fields['disable-model-invocation']) === true && readFlag(fields['user-invocable']) === false)
      log.report('dialect-value', 'neither the model nor people can start the skill', { place: at('user-invocable') })
    checkArguments(skill, log)
  },
}

const checkArguments: Dialect['check'] = ({ frontmatter, body }: DialectSkill, log) => {
  const { fields, positions } = frontmatter
  const names = argumentNames(fields.arguments)
  const used = placeholdersIn(body, names).filter((one) => one !== skillFolderPlaceholder)
  const isUsed = used.length > 0
  if (fields['argument-hint'] !== undefined && !isUsed)
    log.report('dialect-ignored', 'argument-hint promises arguments, but the instructions have no $ARGUMENTS', {
      place: () => positions.key(['argument-hint']),
      hint: 'Write $ARGUMENTS where they belong; else they are put behind the instructions.',
    })
  const unused = names.filter((name) => !used.includes(`$${name}`))
  // By number they may be used all the same.
  if (unused.length > 0 && !used.some((one) => /\d|^\$ARGUMENTS$/.test(one)))
    log.report('dialect-ignored', `the instructions have no ${unused.map((name) => `$${name}`).join(', ')}`, {
      place: () => positions.at(['arguments']),
    })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
