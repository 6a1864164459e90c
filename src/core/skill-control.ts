/** What a person says to turn a skill off or on, as an entry of its own between requests. */
export type SkillControl = { readonly isOff: boolean; readonly name: string }

/** `/disable NAME`, `/enable NAME`; undefined for anything else. */
export const readControl = (input: string): SkillControl | undefined => {
  const [, verb, name] = /^\/(disable|enable)\s+(\S+)\s*$/.exec(input) ?? []
  return name === undefined ? undefined : { isOff: verb === 'disable', name }
}

export const writeControl = ({ isOff, name }: SkillControl): string => `/${isOff ? 'disable' : 'enable'} ${name}`
