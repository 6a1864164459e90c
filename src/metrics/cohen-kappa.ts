/**
 * Cohen's kappa: how far two raters agree beyond what chance would give, (p_o − p_e)/(1 − p_e). `table[i][j]` counts what
 * the first put into category i and the second into j. 1 is full agreement, 0 what chance gives, below it they disagree
 * more than by chance. Null where it is not defined: nothing was rated, or both put everything into the same category.
 * Source: J. Cohen, "A Coefficient of Agreement for Nominal Scales", Educational and Psychological Measurement 20 (1960)
 * 37-46, formula (1).
 */
export const cohenKappa = (table: readonly (readonly number[])[]): number | null => {
  const rows = table.map((row) => sum(row))
  const columns = table.map((_, j) => sum(table.map((row) => row[j] ?? 0)))
  const n = sum(rows)
  const agreed = sum(table.map((row, i) => row[i] ?? 0))
  // Counts, multiplied out: whole numbers stay whole, so that agreement by chance is exactly 0.
  const byChance = sum(rows.map((count, i) => count * (columns[i] ?? 0)))
  const most = n * n - byChance
  return most === 0 ? null : (n * agreed - byChance) / most
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
