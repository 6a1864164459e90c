import * as z from 'zod'

export const fullSha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lowercase hexadecimal')
const sha256 = fullSha256Schema
const packPath = z.string().min(1).max(512)
const base64Of = (bytes: number) =>
  z
    .string()
    .length(Math.ceil(bytes / 3) * 4)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')

/** A public Ed25519 key: its 32 bytes in base64. */
export const publicKeySchema = base64Of(32).describe('A public Ed25519 key, as `skills keygen` prints it.')

export const packNameSchema = z
  .string()
  .max(64)
  .regex(/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u, 'must be letters and digits, with single hyphens between them')

export const versionSchema = z
  .string()
  .max(100)
  .regex(
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/,
    'must be a version, as 1.2.0',
  )

/** Skills are folders by their names. */
export const skillNameSchema = z
  .string()
  .max(64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u, 'must be letters, digits, hyphens and underscores')

export const packedFileSchema = z.strictObject({
  path: packPath.describe('Relative to the pack, with forward slashes.'),
  size: z.int().min(0),
  mode: z.enum(['0644', '0755']),
  sha256,
})

/** manifest.json of a pack: what is in it, to the byte. Its own bytes are the canonical JSON of it (RFC 8785) and a newline. */
export const manifestSchema = z
  .strictObject({
    format: z.literal('skills-eval/pack@1'),
    name: packNameSchema,
    version: versionSchema.describe('Semantic versioning.'),
    files: z.array(packedFileSchema).describe('Sorted by path; without manifest.json and manifest.sig.'),
    folders: z.array(packPath).describe('Those that are empty, sorted.'),
  })
  .meta({ title: "skills-eval pack's manifest" })

/** manifest.sig of a pack: a signature over the bytes of its manifest.json. */
export const signatureSchema = z.strictObject({
  format: z.literal('skills-eval/signature@1'),
  algorithm: z.literal('ed25519'),
  key: publicKeySchema,
  fingerprint: sha256.describe("Of the key's 32 bytes."),
  signature: base64Of(64),
})

const installedPackSchema = z.strictObject({
  origin: z.string().describe('Where it was installed from: a file, a folder or a URL without its query.'),
  made_here: z.boolean().describe('The source had no manifest: this one says what was found in it.'),
  manifest: manifestSchema,
  signature: signatureSchema.nullable(),
  hub: z
    .strictObject({
      name: z.string().max(64).describe('As the configuration had it.'),
      url: z.string().max(1000).describe('What the hub is known by.'),
      range: z.string().max(200).describe('The versions that `skills update` may take.'),
    })
    .optional()
    .describe('The hub that it was installed from.'),
})

const installedSkillSchema = z.strictObject({
  pack: sha256.describe("Which of `packs`: the digest of its manifest's bytes."),
  folder: z.string().max(512).describe("The skill's folder in the pack; empty where the pack is the skill."),
})

/** skills.lock.json, in a skill root: what was installed there, from where, and what it was to the byte. */
export const lockSchema = z
  .strictObject({
    format: z.literal('skills-eval/lock@1'),
    digest: sha256.describe('Of the canonical JSON of `packs` and `skills`.'),
    packs: z.record(sha256, installedPackSchema).describe("By the digest of the manifest's bytes."),
    skills: z.record(skillNameSchema, installedSkillSchema).describe("By the skill's name, which its folder has."),
  })
  .meta({ title: 'skills-eval lock of installed skills' })

/** What is being done with a root; left only by a process that was killed. */
export const journalSchema = z.strictObject({
  format: z.literal('skills-eval/journal@1'),
  isUndone: z.boolean().describe('It failed midway: all goes back.'),
  moves: z.array(
    z.strictObject({
      name: skillNameSchema,
      isNew: z.boolean().describe('Its new version lies in the staging folder; otherwise the skill goes.'),
      replaces: z.string().nullable().describe('The digest of the folder that it replaces; null where there was none.'),
      isKept: z.boolean().describe('What is replaced is kept among the backups.'),
    }),
  ),
  lock: z.string().nullable().describe("The new text of the root's lock file; null: it goes."),
})

export type Journal = z.output<typeof journalSchema>
export type PackedFile = z.output<typeof packedFileSchema>
export type Manifest = z.output<typeof manifestSchema>
export type Signature = z.output<typeof signatureSchema>
export type Lock = z.output<typeof lockSchema>
export type InstalledPack = z.output<typeof installedPackSchema>
