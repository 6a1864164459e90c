import { join } from 'node:path'
import { FileError } from '../core/errors.ts'
import { maxProofBytes, proofName, proofProblem, proofProject, readProof } from '../distribution/proof.ts'
import type { Manifest } from '../schema/pack.ts'
import type { Proof } from '../schema/proof.ts'
import type { Host } from './host.ts'
import { recordingsIn } from './proof-recordings.ts'

/** A proof as it lies there, and what can be seen to be wrong with it without running it. */
export type JudgedProof = { readonly proof: Proof; readonly problem?: string } | { readonly problem: string }

/** Reads the proof in a folder that holds what the manifest of its pack says of it. */
export const judgeProof = (dir: string, manifest: Manifest, host: Host): JudgedProof => {
  try {
    const proof = readProof(host.files.readBytes(join(dir, proofName), maxProofBytes))
    if ('problem' in proof) return proof
    const problem = proofProblem(proof, manifest, recordingsIn(join(dir, proofProject), host))
    return problem === undefined ? { proof } : { proof, problem }
  } catch (error) {
    if (error instanceof FileError) return { problem: error.message }
    throw error
  }
}
