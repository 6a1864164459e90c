import { basename, join, resolve } from 'node:path'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import { UsageError } from '../core/errors.ts'
import { packLimits } from '../distribution/limits.ts'
import { badPack } from './bad-pack.ts'
import type { Host } from './host.ts'
import { openSource } from './open-source.ts'
import { namedFile, writePack } from './pack-skills.ts'
import { openPack } from './read-pack.ts'
import { findKey, signWith } from './signing-key.ts'

export type SignedPack = { readonly file: string; readonly digest: string; readonly fingerprint: string }

/** Signs a pack that was made before: the zip is written anew with the signature, in place of one that it had. */
export const signPack = async (
  path: string,
  key: string | undefined,
  output: string | undefined,
  host: Host,
): Promise<SignedPack> => {
  if (host.files.stat(resolve(host.cwd, path))?.kind !== 'file')
    throw new UsageError('no_source', `there is no pack ${path}`, { hint: 'Give the zip that `skills pack` made.' })
  findKey(key, host)
  const scratch = scratchFolder('skills-eval-sign-')
  try {
    const pack = await openPack(await openSource(path, host), scratch.folder('pack'), [], host)
    if (pack.madeHere)
      throw badPack('it has no manifest that could be signed', undefined, 'Make the pack with skills-eval skills pack.')
    const signature = signWith(key, pack.manifest, host)
    const file = namedFile(output ?? path, basename(path), host)
    await writePack(file, pack.manifest, signature, (one) =>
      host.files.readBytes(join(pack.dir, one), packLimits.fileBytes),
    )
    return { file, digest: pack.digest, fingerprint: signature.fingerprint }
  } finally {
    scratch.remove()
  }
}
