import { join } from 'node:path'

import { MINUTE_MS } from '@marquee/platform/runtime/durations'
import { systemRandom } from '@marquee/platform/runtime/random'
import type { BlobStore } from '@marquee/platform/storage/blob-store'
import { diskStore } from '@marquee/platform/storage/disk-store'
import type { S3Bucket } from '@marquee/platform/storage/s3-store'

import type { Settings } from './settings/settings.ts'

/** Commands of an operator may take long, for example over a slow connection to the bucket; no request waits for them. */
export const OPERATOR_CALL_MS = MINUTE_MS

/** Images in use, and removed ones that can still be restored. */
export type ImageStore = { readonly blobs: BlobStore; readonly trash: BlobStore }

/** Opens the bucket if one is set, otherwise the data folder. */
export async function openImageStore(settings: Settings, limits: { callMs?: number } = {}): Promise<ImageStore> {
  const { S3_BUCKET } = settings
  if (S3_BUCKET === undefined) {
    const folder = (part: string) => diskStore({ folder: join(settings.DATA_DIR, part), random: systemRandom })
    return { blobs: folder('images'), trash: folder('trash') }
  }
  const bucket = await openBucket({ ...settings, S3_BUCKET }, limits)
  return { blobs: bucket.store(), trash: bucket.store('trash') }
}

/** Opens the bucket of the settings. @throws {BucketUnusable} */
export async function openBucket(
  settings: Settings & { S3_BUCKET: string },
  limits: { callMs?: number } = {},
): Promise<S3Bucket> {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region } = settings
  const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = settings
  const keys = id === undefined || secret === undefined ? undefined : { id, secret }
  // Loaded only when used, because it takes much memory.
  const { openS3Bucket } = await import('@marquee/platform/storage/s3-store')
  return await openS3Bucket({ bucket, endpoint, region, keys, ...limits })
}
