import { rm } from 'node:fs/promises'

import type { BlobStore } from '@marquee/platform/storage/blob-store'
import type { S3Bucket } from '@marquee/platform/storage/s3-store'

import { backupsAmong, type BackupPlace, byTrust, type KeptBackup, nameOf, UNVERIFIED } from './kept-backups.ts'

const FOLDER = 'backups'

/**
 * A bucket as the place of backups. Large objects cannot be renamed there, so an object beside a backup says that it does
 * not count yet. It is there before the first byte is sent, and holds the id of the upload.
 */
export function bucketPlace(bucket: S3Bucket, bucketName: string): BackupPlace {
  const blobs = bucket.store(FOLDER)
  const files = bucket.largeFiles(FOLDER)

  /** The mark last: until then the rest does not count. */
  async function removeMarked(name: string, upload: string | undefined): Promise<void> {
    if (upload !== undefined) await files.abandon(name, upload)
    await blobs.delete(name)
    await blobs.delete(markOf(name))
  }

  return {
    isWithoutKey: true,
    list: async () => await listBackups(blobs),
    keep: async ({ path, madeAt }, verify, signal) => {
      const name = nameOf(madeAt).toLowerCase()
      const upload = await files.begin(name)
      // A process that is killed here leaves an upload without parts, which takes no room.
      try {
        await blobs.put(markOf(name), Buffer.from(upload))
        await files.complete(name, upload, { path, signal })
        await rm(path)
        if (!(await files.download(name, { path, signal }))) throw new Error(`${name} is not in the bucket any more`)
        await verify()
        await blobs.delete(markOf(name))
      } catch (error) {
        // If this fails, too, the next attempt removes what is left. A process that ends does not wait for the bucket.
        if (!signal.aborted) await removeMarked(name, upload).catch(() => undefined)
        throw error
      }
      return `${bucketName}/${FOLDER}/${name}`
    },
    remove: async (name) => await blobs.delete(name),
    removeUnverified: async () => {
      const marks = (await namesIn(blobs)).filter((name) => name.endsWith(UNVERIFIED))
      // Only files with the name of a backup.
      const unverified = marks.map((name) => name.slice(0, -UNVERIFIED.length))
      for (const { name } of backupsAmong(unverified)) {
        const mark = await blobs.get(markOf(name))
        await removeMarked(name, mark?.toString())
      }
    },
  }
}

/** Writes a verified backup to a local file: the newest, unless one is named. Returns its name, or undefined if there is none. */
export async function fetchBackup(
  bucket: S3Bucket,
  { name, path, now }: { name: string | undefined; path: string; now: Date },
): Promise<string | undefined> {
  const backups = byTrust(await listBackups(bucket.store(FOLDER)), now)
  const found = backups.find((backup) => name === undefined || backup.name === name)
  if (!found) return undefined
  return (await bucket.largeFiles(FOLDER).download(found.name, { path })) ? found.name : undefined
}

async function listBackups(blobs: BlobStore): Promise<KeptBackup[]> {
  const names = new Set(await namesIn(blobs))
  return backupsAmong([...names].filter((name) => !names.has(markOf(name))))
}

async function namesIn(blobs: BlobStore): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of blobs.list()) names.push(name)
  return names
}

function markOf(name: string): string {
  return `${name}${UNVERIFIED}`
}
