import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Redactor, redactor } from '../cassette/redactor.ts'
import { InvalidInputError, SkillsEvalError } from '../core/errors.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { findProject } from './project.ts'
import { configuredKeys } from './recorded-models.ts'

export type RedactedHost = Host & {
  /** For what is printed without the host. */
  redactValue<T>(value: T): T
  /** The same error, to be told to a person. */
  redactError(error: unknown): unknown
}

/**
 * Prints no secret: what a model, a server or a script says may hold one, and a log is read by others. The values of
 * configured keys are known once something is printed.
 */
export const redactedHost = (host: Host, config: string | undefined): RedactedHost => {
  let made: Redactor | undefined
  const secrets = (): Redactor => {
    made ??= redactor({ env: host.env, values: keysOf(host, config), key: randomBytes(32).toString('hex') })
    return made
  }
  return {
    ...host,
    // Not copied: the terminal may change its size.
    get width() {
      return host.width
    },
    stdout: (text) => host.stdout(secrets().redact(text)),
    stderr: (text) => host.stderr(secrets().redact(text)),
    redactValue: (value) => secrets().redactValue(value),
    redactError: (error) => {
      if (!(error instanceof SkillsEvalError) || error instanceof InvalidInputError) return error
      const { code, message, hint } = error
      const told = secrets().redactValue({ message, hint })
      if (told.message === message && told.hint === hint) return error
      return new SkillsEvalError(code, told.message, told.hint === undefined ? {} : { hint: told.hint })
    },
  }
}

/** None where the configuration can't be read, which is told then. */
const keysOf = (host: Host, config: string | undefined): readonly string[] => {
  try {
    const project = findProject(host.cwd, host.home, host.files)
    const settings = loadConfig(project, host, config === undefined ? undefined : resolve(host.cwd, config))
    return configuredKeys(settings, host)
  } catch (error) {
    if (error instanceof SkillsEvalError) return []
    throw error
  }
}
