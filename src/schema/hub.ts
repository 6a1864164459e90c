import * as z from 'zod'
import { fullSha256Schema, packNameSchema, publicKeySchema, skillNameSchema, versionSchema } from './pack.ts'

const tierSchema = z
  .enum(['official', 'verified', 'community'])
  .describe('Who stands for it, as the hub has it: its makers (official), somebody who looked (verified), its author.')

export const hubNameSchema = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+([.-][a-z0-9]+)*$/, 'must be lowercase letters and digits, with single hyphens or dots between')

const tagSchema = z.string().min(1).max(64)
const descriptionSchema = z.string().max(1024)
const rangeSchema = z.string().max(200).describe('Versions after semver, as ^1.2.0.')
const reasonSchema = z.string().max(500)
const byPackName = packNameSchema.describe('The name of a pack.')

/** hub.yaml, in the folder that a hub is made of: what its packs do not say themselves. */
export const hubSourceSchema = z
  .strictObject({
    name: hubNameSchema.describe('What the hub calls itself.'),
    packs: z
      .record(
        byPackName,
        z.strictObject({
          tier: tierSchema.optional(),
          tags: z.array(tagSchema).max(50).optional(),
          description: descriptionSchema.optional(),
          yanked: z
            .record(versionSchema, z.union([reasonSchema, z.literal(false)]))
            .optional()
            .describe('Versions that are not to be used any more, and why; false takes the mark back.'),
        }),
      )
      .optional(),
    collections: z
      .record(
        packNameSchema,
        z.strictObject({
          description: descriptionSchema.optional(),
          packs: z.record(byPackName, rangeSchema).describe('Packs that are installed together, with their ranges.'),
        }),
      )
      .optional(),
  })
  .meta({ title: 'skills-eval hub source' })

/** Relative to the index, and below it: a hub's packs come from where its index does. */
const fileSchema = z
  .string()
  .max(512)
  .regex(/^(?!.*(^|\/)\.)[^\\?#%:\p{Cc}/][^\\?#%:\p{Cc}]*\.zip$/u, 'must be a path of a zip below the hub')

const hubVersionSchema = z.strictObject({
  version: versionSchema,
  file: fileSchema.describe('Relative to index.json.'),
  size: z.int().min(0),
  sha256: fullSha256Schema.describe("Of the zip's bytes."),
  digest: fullSha256Schema.describe("Of its manifest's bytes."),
  signer: fullSha256Schema.nullable().describe('The fingerprint of the key that signed the pack.'),
  skills: z.array(skillNameSchema).max(500),
  yanked: reasonSchema.nullable().describe('Why it is not to be used any more.'),
})

/** index.json of a hub. */
export const hubIndexSchema = z
  .strictObject({
    format: z.literal('skills-eval/hub@1'),
    name: hubNameSchema,
    serial: z.int().min(1).describe('Higher with each index that differs: an older one is seen to be.'),
    packs: z.array(
      z.strictObject({
        name: packNameSchema,
        description: descriptionSchema,
        tier: tierSchema,
        tags: z.array(tagSchema).max(50),
        versions: z.array(hubVersionSchema).min(1).max(1000).describe('The highest first.'),
      }),
    ),
    collections: z.array(
      z.strictObject({
        name: packNameSchema,
        description: descriptionSchema,
        packs: z
          .array(z.strictObject({ name: packNameSchema, range: rangeSchema }))
          .min(1)
          .max(100),
      }),
    ),
  })
  .meta({ title: "skills-eval hub's index" })

/** A hub in the configuration. */
export const configuredHubSchema = z.strictObject({
  name: hubNameSchema.describe('What you call it: in `--hub`, and in reports.'),
  url: z
    .string()
    .min(1)
    .max(1000)
    .describe('An http(s) URL of the folder with index.json, or a folder; relative to the project.'),
  key: publicKeySchema.optional().describe('The key that signs its index; another index is refused.'),
})

/** What was seen of a hub's index: an older one, or another of the same serial, is refused. */
export const seenHubSchema = z.strictObject({
  serial: z.int().min(1),
  sha256: fullSha256Schema.describe("Of the index's bytes."),
})

export type HubSource = z.output<typeof hubSourceSchema>
export type HubIndex = z.output<typeof hubIndexSchema>
export type HubPack = HubIndex['packs'][number]
export type HubVersion = z.output<typeof hubVersionSchema>
export type ConfiguredHub = z.output<typeof configuredHubSchema>
