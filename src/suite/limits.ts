/** 5,000 cases of a few kilobytes each; more belong into the rows of an `each` file, which are read as they are needed. */
export const MAX_SUITE_BYTES = 16 * 1024 * 1024

/** More than any suite needs, and little enough that no later step runs out of stack. */
export const MAX_SUITE_DEPTH = 64
