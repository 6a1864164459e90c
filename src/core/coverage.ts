export type {
  Coverage,
  CoveredPart,
  Evidence,
  PartKind,
  SimilarSkills,
  SkillCoverage,
} from '../schema/coverage.ts'
