/** What `verify` says: of a skill, of a pack, or of all together. */
export type PackVerdict = 'fine' | 'unsigned' | 'unknown_key' | 'tampered'

const order: readonly PackVerdict[] = ['fine', 'unsigned', 'unknown_key', 'tampered']

export const worstVerdict = (verdicts: readonly PackVerdict[]): PackVerdict =>
  verdicts.reduce((worst, one) => (order.indexOf(one) > order.indexOf(worst) ? one : worst), 'fine')

/** 0 fine, 1 tampered, 3 unsigned, 4 signed by a key that is not trusted here; 2 is for wrong usage, as everywhere. */
export const verdictExitCode = (verdict: PackVerdict): number => {
  switch (verdict) {
    case 'fine':
      return 0
    case 'tampered':
      return 1
    case 'unsigned':
      return 3
    case 'unknown_key':
      return 4
  }
}
