import { join } from 'node:path'
import type { Diagnostic } from '../core/diagnostic.ts'
import { InvalidInputError } from '../core/errors.ts'
import { parseYaml } from '../lib/yaml.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type Config, configSchema } from '../schema/config.ts'
import type { Policy } from '../schema/policy.ts'
import { below } from '../suite/finding.ts'
import { normalizeFindings } from '../suite/normalize-findings.ts'
import { policyFindings } from '../suite/policy-findings.ts'
import { explainIssues } from '../suite/zod-diagnostics.ts'
import type { Host } from './host.ts'
import { configFileIn, type Project, shownPath } from './project.ts'

const maxConfigBytes = 1024 * 1024

/**
 * The project's configuration over the user's. Maps merge by key, model profiles, lists and scalars replace; permission lists add up,
 * so that a project can't drop what its user denied; trusted keys and hubs add up; of the sandbox the stricter holds. Throws an InvalidInputError with every mistake in either file.
 */
export const loadConfig = (project: Project, host: Pick<Host, 'files' | 'home'>, explicit?: string): Config => {
  const userFile = configFileIn(host.home, host.files)
  const files = [userFile, explicit ?? project.configFile].filter((file) => file !== undefined)
  const read = [...new Set(files)].map((file) => readConfig(file, project, host))
  const diagnostics = read.flatMap((result) => ('diagnostics' in result ? result.diagnostics : []))
  if (diagnostics.length > 0) throw new InvalidInputError(diagnostics)
  return read.reduce<Config>((merged, result) => ('config' in result ? mergeConfig(merged, result.config) : merged), {})
}

const readConfig = (
  file: string,
  project: Project,
  host: Pick<Host, 'files'>,
): { config: Config } | { diagnostics: Diagnostic[] } => {
  const shown = shownPath(project, file)
  const text = host.files.readText(file, maxConfigBytes)
  // JSON is YAML: one parser, with positions, for both.
  const yaml = parseYaml(text, { file: shown, maxBytes: maxConfigBytes, codePrefix: 'config' })
  if (!yaml.ok) return { diagnostics: yaml.diagnostics }
  const checked = checkedBy(configSchema, yaml.value ?? {})
  const map = isMap(yaml.value) ? yaml.value : {}
  const findings = [
    ...(checked.ok ? [] : explainIssues(configSchema, yaml.value ?? {}, checked.issues)),
    ...policyFindings(map.permissions).map((finding) => below(['permissions'], finding)),
    ...normalizeFindings(map.normalize).map((finding) => below(['normalize'], finding)),
  ]
  if (checked.ok && findings.length === 0) return { config: checked.data }
  return {
    diagnostics: findings.map(({ path, at, code, message, hint, severity }) => ({
      severity: severity ?? 'error',
      code: `config/${code}`,
      message,
      file: shown,
      ...(at === 'key' ? yaml.positions.key(path) : yaml.positions.at(path)),
      ...(hint === undefined ? {} : { hint }),
    })),
  }
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mergeConfig = (base: Config, over: Config): Config => {
  const merged: Config = {
    ...mergeMaps(base, over),
    ...modelsOf(base, over),
    ...packsOf(base, over),
    ...serversOf(base, over),
    ...strictestSandbox(base, over),
  }
  return base.permissions && over.permissions
    ? { ...merged, permissions: mergePolicies(base.permissions, over.permissions) }
    : merged
}

/** A profile is replaced whole: mixed with the user's, a project's could send the user's key to its own server. */
const modelsOf = (base: Config, over: Config): Pick<Config, 'models'> =>
  base.models && over.models ? { models: { ...base.models, ...over.models } } : {}

/** Trusted keys and hubs add up, the user's first: a project can't give another name to a key that its user knows, or come before a hub of theirs. */
const packsOf = (base: Config, over: Config): Pick<Config, 'packs'> =>
  base.packs && over.packs
    ? {
        packs: {
          ...base.packs,
          ...over.packs,
          trusted_keys: [...(base.packs.trusted_keys ?? []), ...(over.packs.trusted_keys ?? [])],
          hubs: [...(base.packs.hubs ?? []), ...(over.packs.hubs ?? [])],
        },
      }
    : {}

/** So is a server: the headers of one are not for the address of the other. */
const serversOf = (base: Config, over: Config): Pick<Config, 'mcp'> =>
  base.mcp && over.mcp ? { mcp: { ...base.mcp, ...over.mcp } } : {}

const sandboxModes = ['off', 'auto', 'require'] as const

/** A project can't open the sandbox that its user has closed. */
const strictestSandbox = (base: Config, over: Config): Pick<Config, 'sandbox' | 'sandbox_network'> => {
  const modes = sandboxModes.filter((mode) => base.sandbox === mode || over.sandbox === mode)
  const mode = modes.at(-1)
  return {
    ...(mode === undefined ? {} : { sandbox: mode }),
    ...(base.sandbox_network === false ? { sandbox_network: false } : {}),
  }
}

const mergeMaps = (base: object, over: object): object => {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    const both = isMap(below) && isMap(value) ? mergeMaps(below, value) : value
    Object.defineProperty(merged, key, { value: both, enumerable: true, configurable: true, writable: true })
  }
  return merged
}

const mergePolicies = (base: Policy, over: Policy): Policy => {
  const joined = (key: keyof Policy) => {
    const all = [...(base[key] ?? []), ...(over[key] ?? [])]
    return all.length === 0 ? {} : { [key]: [...new Set(all)] }
  }
  return { ...joined('allow'), ...joined('ask'), ...joined('deny'), ...joined('env') }
}

export const cacheFolder = (host: Pick<Host, 'env' | 'home'>): string =>
  join(host.env.XDG_CACHE_HOME || join(host.home, '.cache'), 'skills-eval')
