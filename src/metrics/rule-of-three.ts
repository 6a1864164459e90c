/**
 * The highest share of events that n trials without any leave likely: the upper end of a 95 % interval is about 3/n,
 * for 1 - p to the n is 5 % there. At most 1; 1 without trials. The trials must be independent of each other.
 * Source: J. A. Hanley and A. Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 249 (1983) 1743-1745.
 */
export const ruleOfThree = (n: number): number => (n <= 3 ? 1 : 3 / n)
