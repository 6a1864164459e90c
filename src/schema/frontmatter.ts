/**
 * The fields that the Agent Skills standard knows, in its order; anything else is an extension. A third-party format,
 * read by the thousand and field by field in skills/: a schema over it would only cost.
 */
export const standardFields = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'] as const
