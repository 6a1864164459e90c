import type { ArmOfRun } from '../schema/baseline.ts'

/** The other arm of a run, which its skills are held against: none of them, all but one, or another version of them. */
export type Arm = Readonly<ArmOfRun>

/** As it is asked for: `without_skills`, `without:csv-analyzer`, `version:old/skills`. */
export const armName = (arm: Arm): string => {
  switch (arm.kind) {
    case 'without_skills':
      return 'without_skills'
    case 'without':
      return `without:${arm.skill}`
    case 'version':
      return `version:${arm.path}`
  }
}

/** What `armName` wrote; undefined for anything else. */
export const parseArmName = (name: string): Arm | undefined => {
  if (name === 'without_skills') return { kind: 'without_skills' }
  const [, kind, rest = ''] = /^(without|version):(.+)$/s.exec(name) ?? []
  if (kind === 'without') return { kind, skill: rest }
  return kind === 'version' ? { kind, path: rest } : undefined
}
