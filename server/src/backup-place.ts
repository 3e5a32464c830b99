import { OPERATOR_CALL_MS, openBucket } from './image-store.ts'
import type { Settings } from './settings/settings.ts'
import { bucketPlace } from './backup/bucket-place.ts'
import { folderPlace } from './backup/folder-place.ts'
import type { BackupPlace } from './backup/kept-backups.ts'

/** The place of the backups of the schedule: the bucket if there is one, otherwise the data folder. @throws {BucketUnusable} */
export async function openBackupPlace(settings: Settings): Promise<BackupPlace> {
  if (settings.S3_BUCKET === undefined) return folderPlace(settings.DATA_DIR)
  return bucketPlace(
    await openBucket({ ...settings, S3_BUCKET: settings.S3_BUCKET }, { callMs: OPERATOR_CALL_MS }),
    settings.S3_BUCKET,
  )
}
