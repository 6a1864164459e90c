const MIB = 1024 * 1024

/** What a pack may be at most. A skill is text and a few scripts: whoever needs more ships something else. */
export const packLimits = {
  zipBytes: 50 * MIB,
  entries: 2_000,
  fileBytes: 16 * MIB,
  totalBytes: 48 * MIB,
  /** Unpacked to packed; plain repetitive text reaches 500, so it counts only above `ratioFromBytes`. */
  ratio: 200,
  ratioFromBytes: 16 * MIB,
  depth: 16,
  nameBytes: 200,
  pathBytes: 512,
  manifestBytes: 2 * MIB,
} as const

/**
 * What a folder is looked at with. A pack's entries are files and empty folders, each in up to `depth` others: above
 * whatever a pack may hold, so that what is too much, or was added, is seen and told as such.
 */
export const treeLimits = {
  entries: packLimits.entries * (packLimits.depth + 1),
  fileBytes: packLimits.fileBytes,
  depth: 2 * packLimits.depth,
} as const
