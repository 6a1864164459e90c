import { claudeCode } from './claude-code.ts'
import type { Dialect, DialectField } from './dialect.ts'
import { harness9 } from './harness9.ts'
import { hermes } from './hermes.ts'
import { common, own } from './own.ts'
import { springAiAlibaba } from './spring-ai-alibaba.ts'

export const profileNames = ['spec', 'hermes', 'saa', 'harness9', 'claude-code'] as const

/** By whose rules a skill is judged. */
export type SkillProfile = (typeof profileNames)[number]

/** undefined: the standard's letter. */
export const dialectOf = (profile: SkillProfile): Dialect | undefined => {
  switch (profile) {
    case 'spec':
      return undefined
    case 'hermes':
      return hermes
    case 'saa':
      return springAiAlibaba
    case 'harness9':
      return harness9
    case 'claude-code':
      return claudeCode
  }
}

export type ForeignField = DialectField & { readonly system: string }

const fields: ReadonlyMap<string, ForeignField> = new Map(
  [common, own, springAiAlibaba, harness9, claudeCode, hermes].flatMap((dialect) =>
    [...dialect.fields].map(([name, field]) => [name, { system: dialect.system, ...field }] as const),
  ),
)

/** What a field that the standard does not know means here; undefined where no known system has it. */
export const foreignField = (name: string): ForeignField | undefined => fields.get(name)

/** The fields that a dialect knows beside the standard's. */
export const fieldsOf = (dialect: Dialect): ReadonlySet<string> =>
  new Set([...common.fields.keys(), ...own.fields.keys(), ...dialect.fields.keys()])
