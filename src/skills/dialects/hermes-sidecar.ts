import { isSemver } from '../../lib/is-semver.ts'
import { visibleLine } from '../../lib/visible.ts'

export const sidecarName = 'skill.json'
export const maxSidecarBytes = 64 * 1024

/** What a `skill.json` says, as far as it can be read. SKILL.md has the last word. */
export type Sidecar = {
  readonly id: string | undefined
  readonly version: string | undefined
  readonly tags: readonly string[]
  readonly toolsRequired: readonly string[]
  readonly toolsOptional: readonly string[]
  readonly hermesVersion: string | undefined
  readonly entryPoint: string | undefined
}

/** Reads it; every field that is of another kind is left out and told. No `sidecar` where it is no JSON object. */
export const readSidecar = (
  text: string,
): { readonly sidecar: Sidecar | undefined; readonly problems: readonly string[] } => {
  const json = parsed(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return { sidecar: undefined, problems: ['skill.json is no JSON object'] }
  const fields = new Map(Object.entries(json))
  const problems: string[] = []
  const take = <T>(name: string, read: (value: unknown) => T | undefined, kind: string): T | undefined => {
    if (!fields.has(name)) return undefined
    const value = read(fields.get(name))
    if (value === undefined) problems.push(`${name} in skill.json is not ${kind}`)
    return value
  }
  const version = take('version', oneText, 'a text')
  if (version !== undefined && !isSemver(version))
    problems.push(`the version ${visibleLine(version, 40)} in skill.json is not of the form 1.2.3`)
  return {
    sidecar: {
      id: take('id', oneText, 'a text'),
      version,
      tags: take('tags', texts, 'a list of texts') ?? [],
      toolsRequired: take('tools_required', texts, 'a list of texts') ?? [],
      toolsOptional: take('tools_optional', texts, 'a list of texts') ?? [],
      hermesVersion: take('hermes_version', oneText, 'a text'),
      entryPoint: take('entry_point', oneText, 'a text'),
    },
    problems,
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    // What is no JSON says nothing.
    return undefined
  }
}

const oneText = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' || text.length > 200 ? undefined : text
}

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.length <= 100 && value.every((item) => oneText(item) !== undefined)
    ? [...new Set(value.map((item) => String(item).trim()))]
    : undefined
