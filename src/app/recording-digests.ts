import type { BoundedCache } from '../lib/bounded-cache.ts'

/** The digests of recordings by the absolute path: what was read to be replayed is not read again to be told. */
export type RecordingDigests = BoundedCache<string, string>
