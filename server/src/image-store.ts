import { join } from 'node:path'

import { systemRandom } from '@marquee/platform/runtime/random'
import type { BlobStore } from '@marquee/platform/storage/blob-store'
import { diskStore } from '@marquee/platform/storage/disk-store'

import type { Settings } from './settings.ts'

/** No request waits for what an operator asks for, say over a slow line to the bucket. */
export const OPERATOR_CALL_MS = 60_000

/** Where images are kept: the bucket where one is set, otherwise the data folder. */
export async function openImageStore(settings: Settings, limits: { callMs?: number } = {}): Promise<BlobStore> {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region } = settings
  if (bucket === undefined) return diskStore({ folder: join(settings.DATA_DIR, 'images'), random: systemRandom })
  const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = settings
  const keys = id === undefined || secret === undefined ? undefined : { id, secret }
  // Loaded only where it is used, since it would be a good part of what the server holds.
  const { openS3Store } = await import('@marquee/platform/storage/s3-store')
  return await openS3Store({ bucket, endpoint, region, keys, ...limits })
}
