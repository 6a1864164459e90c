import { isSemver } from '../../lib/is-semver.ts'
import { visibleLine } from '../../lib/visible.ts'
import { joinPath } from '../paths.ts'
import { actedOn, type Dialect, type DialectSkill, ignored, shownOnly } from './dialect.ts'
import { readSidecar, sidecarName } from './hermes-sidecar.ts'

const comeWithIt = 'with tools.offer: per_skill, tools of the run that it names come with the skill'

/** Packages of Hermes: a `skill.json` beside SKILL.md, and sections that can be given one by one. */
export const hermes: Dialect = {
  system: 'Hermes',
  fields: new Map([
    ['id', ignored('name identifies a skill')],
    ['created', shownOnly('for people')],
    ['updated', shownOnly('for people')],
    ['language', ignored('nothing depends on it')],
    ['hermes', ignored('nothing depends on it')],
    ['hermes_version', shownOnly('the version of Hermes that it is made for')],
    ['tools_required', actedOn(`a run without one of them does not offer the skill; ${comeWithIt}`)],
    ['tools_optional', actedOn(comeWithIt)],
    ['entry_point', ignored('SKILL.md is always the entry')],
    ['platforms', ignored('nothing depends on it')],
    ['deps', ignored('nothing is installed')],
    ['related_skills', ignored('the instructions name other skills')],
    ['required_environment_variables', ignored('scripts get a built-up environment')],
    ['required_credential_files', ignored('scripts see no credentials')],
  ]),
  waives: [],
  check: (skill, log) => {
    const file = joinPath(skill.dir, sidecarName)
    const text = skill.sibling(sidecarName)
    if (text === undefined) {
      log.report('sidecar-missing', 'there is no skill.json of at most 64 KiB')
    } else {
      const { sidecar, problems } = readSidecar(text)
      for (const problem of problems) log.report('sidecar-invalid', problem, { file })
      if (sidecar !== undefined) {
        for (const field of ['id', 'version'] as const)
          if (sidecar[field] === undefined) log.report('sidecar-invalid', `skill.json has no ${field}`, { file })
        checkConflicts(skill, { name: sidecar.id, version: sidecar.version }, log)
      }
    }
    const { version } = skill.frontmatter.fields
    if (typeof version === 'string' && !isSemver(version))
      log.report('dialect-value', `the version ${visibleLine(version, 40)} is not of the form 1.2.3`, {
        place: () => skill.frontmatter.positions.at(['version']),
      })
    for (const section of ['Overview', 'Usage'])
      if (!new RegExp(`^#{1,3}\\s+${section}\\b`, 'im').test(skill.body))
        log.report('dialect-section', `the instructions have no section ${section}`)
  },
}

const checkConflicts = (
  { frontmatter: { fields, positions } }: DialectSkill,
  sidecar: Readonly<Record<'name' | 'version', string | undefined>>,
  log: Parameters<Dialect['check']>[1],
): void => {
  for (const field of ['name', 'version'] as const) {
    const written = fields[field]
    const other = sidecar[field]
    if (typeof written !== 'string' || other === undefined || written.trim() === other) continue
    const message = `${field} is ${visibleLine(written.trim(), 60)} here and ${visibleLine(other, 60)} in skill.json`
    log.report('sidecar-conflict', message, { place: () => positions.at([field]) })
  }
}
