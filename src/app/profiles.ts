import { UsageError } from '../core/errors.ts'
import { nearest } from '../lib/nearest.ts'
import type { Config, Profile } from '../schema/config.ts'
import { headerVariables } from './mcp-servers.ts'

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

/** Whether there is a profile of this name. */
export const isProfile = (name: string, { models = {} }: Config): boolean =>
  Object.hasOwn(models, name) || Object.hasOwn(builtIn, name)

/** The profile that judges where a suite names none. */
export const usualJudge = 'judge'

export const judgeOf = ({ judge = usualJudge }: { readonly judge?: string }): string => judge

/** Why nobody could judge on this profile, and what to do about it; undefined where somebody can. */
export const judgeProblem = (
  judge: string | undefined,
  config: Config,
): { readonly message: string; readonly hint: string } | undefined => {
  const name = judgeOf(judge === undefined ? {} : { judge })
  if (isProfile(name, config)) return undefined
  if (judge !== undefined) {
    const [close] = nearest(name, [...Object.keys(config.models ?? {}), ...Object.keys(builtIn)], 1)
    return {
      message: `there is no model profile \`${name}\``,
      hint: close === undefined ? wayToJudge(name) : `Did you mean \`${close}\`?`,
    }
  }
  return {
    message: `\`rubric\` needs a judge, and there is no model profile \`${name}\``,
    hint: wayToJudge(name),
  }
}

const wayToJudge = (name: string): string =>
  `Add \`${name}\` under \`models\` in .agent/config.json, or name another profile with \`judge:\` at the top of the suite; \`judge: mock\` takes its verdicts from \`mock_judge\`. See docs/judge.md.`

const usualKeys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'] as const

/** The variables that hold keys: the usual ones, and what the profiles name. */
export const keyVariables = (config: Config): readonly string[] => {
  const named = Object.values(config.models ?? {}).flatMap((profile) =>
    'api_key_env' in profile && profile.api_key_env !== undefined ? [profile.api_key_env] : [],
  )
  return [...new Set([...usualKeys, ...named, ...headerVariables(config)])]
}
