import * as z from 'zod'

/** The fields that the Agent Skills standard knows, in its order. Anything else is an extension. */
export const standardFields = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'] as const

/** Frontmatter as it was read: a third-party format, so loose, and every scalar is still a string. */
export const frontmatterSchema = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  license: z.string().optional(),
  compatibility: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  'allowed-tools': z.union([z.string(), z.array(z.string())]).optional(),
})
export type Frontmatter = z.output<typeof frontmatterSchema>
