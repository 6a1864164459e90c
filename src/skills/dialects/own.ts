import { actedOn, type Dialect, ignored, shownOnly } from './dialect.ts'

/** What several systems have, and this project's own fields. */
export const common: Dialect = {
  system: 'common',
  fields: new Map([
    ['version', actedOn('the version of the skill')],
    ['author', shownOnly('for people')],
    ['tags', actedOn('searched by search_skills')],
    ['keywords', ignored('tags are searched')],
    ['category', ignored('tags are searched')],
    ['homepage', shownOnly('for people')],
  ]),
  waives: [],
  check: () => undefined,
}

export const own: Dialect = {
  system: 'skills-eval',
  fields: new Map([['run-mode', actedOn('subagent: the skill runs as an agent of its own')]]),
  waives: [],
  check: () => undefined,
}
