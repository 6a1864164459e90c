import { UsageError } from '../core/errors.ts'
import { nearest } from '../lib/nearest.ts'
import type { Config, Profile } from '../schema/config.ts'

/** The profile that is there without any configuration. */
const builtIn: Readonly<Record<string, Profile>> = { mock: { provider: 'mock', protocol: 'native' } }

export const defaultModel = (config: Config): string => config.model ?? 'mock'

/** A profile by its name; throws a UsageError that names those there are. */
export const findProfile = (name: string, config: Config): Profile => {
  const configured = config.models ?? {}
  if (Object.hasOwn(configured, name) && configured[name]) return configured[name]
  if (Object.hasOwn(builtIn, name) && builtIn[name]) return builtIn[name]
  const names = [...new Set([...Object.keys(configured), ...Object.keys(builtIn)])]
  const close = nearest(name, names)
  throw new UsageError('unknown_model', `there is no model profile "${name}"`, {
    hint:
      close.length > 0
        ? `Did you mean ${close.join(' or ')}?`
        : `There is: ${names.join(', ')}. Add it under models in .agent/config.json.`,
  })
}

const usualKeys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'] as const

/** The variables that hold keys: the usual ones, and what the profiles name. */
export const keyVariables = (config: Config): readonly string[] => {
  const named = Object.values(config.models ?? {}).flatMap((profile) =>
    'api_key_env' in profile && profile.api_key_env !== undefined ? [profile.api_key_env] : [],
  )
  return [...new Set([...usualKeys, ...named])]
}
