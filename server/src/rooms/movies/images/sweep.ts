import type { Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import { DAY_MS, HOUR_MS } from '@marquee/platform/runtime/durations'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { imageFile, KEPT_WIDTHS, readImageFile, WIDEST } from './names.ts'
import { claimImage, dropExpiredHolds, findUsed, listForsakenClaims, releaseClaim } from './store.ts'

export type SweepPorts = {
  readonly database: Database<unknown>
  readonly blobs: BlobStore
  readonly trash: BlobStore
  readonly clock: Clock
}

export type SweepOptions = {
  /** How old an image must be, in milliseconds. Open pages may still show one that is no longer used. */
  readonly graceMs: number
  /** Remove unused images even if there are too many. */
  readonly all?: boolean
}

/** The numbers of images. */
export type Swept = {
  /** Moved to the trash. */
  readonly removed: number
  /** Moved back from the trash because a row refers to them again. */
  readonly restored: number
  /** Deleted from the trash. */
  readonly deleted: number
  /** Unused but too many, so the sweep removed and deleted nothing. */
  readonly heldBack: number
}

const BATCH = 500
/** An older claim belongs to a process that died. */
const CLAIM_MS = HOUR_MS
const TRASH_MS = 7 * DAY_MS

/** More unused images than this look like a lost database, not like users who tidied up. */
const USUAL_COUNT = 20
const USUAL_SHARE = 0.1
/** Bounds the memory of a sweep. The next sweep takes the rest. */
const MOST_AT_ONCE = 10_000

/**
 * Moves images that no row refers to and that are older than `graceMs` to the trash, and deletes them there after a week.
 * Several processes may sweep at once, also during uploads: a sweep claims each image before it moves it, and cannot claim
 * an image that an upload holds.
 */
export async function sweepImages(ports: SweepPorts, { graceMs, all = false }: SweepOptions): Promise<Swept> {
  const { database, clock } = ports
  const now = clock.now()
  const { unused, unusedCount, count } = await findUnused(ports, {
    before: new Date(now.getTime() - graceMs),
    most: all ? Infinity : MOST_AT_ONCE,
  })
  const isHeldBack = !all && unusedCount > Math.max(USUAL_COUNT, count * USUAL_SHARE)
  const emptied = await emptyTrash(ports, isHeldBack ? undefined : new Date(now.getTime() - TRASH_MS))
  if (isHeldBack) return { removed: 0, ...emptied, heldBack: unusedCount }
  let removed = 0
  for (const hash of [...(await listForsakenClaims(database.read, now.toISOString())), ...unused]) {
    if (await sweepImage(ports, hash)) removed += 1
  }
  await database.transaction(async (trx) => await dropExpiredHolds(trx, now.toISOString()))
  return { removed, ...emptied, heldBack: 0 }
}

/** Counts all images and the unused ones from before a time, and returns the first `most` of the unused. */
async function findUnused(
  { blobs, database }: SweepPorts,
  { before, most }: { before: Date; most: number },
): Promise<{ unused: ReadonlySet<string>; unusedCount: number; count: number }> {
  const unused = new Set<string>()
  let unusedCount = 0
  let count = 0
  for await (const batch of imagesOf(blobs)) {
    const old = batch.filter(({ putAt }) => putAt < before).map(({ hash }) => hash)
    const used = await findUsed(database.read, old)
    for (const { hash, isWidest, putAt } of batch) {
      if (isWidest) count += 1
      if (putAt >= before || used.has(hash)) continue
      if (isWidest) unusedCount += 1
      if (unused.size < most) unused.add(hash)
    }
  }
  return { unused, unusedCount, count }
}

/** Moves one image to the trash, unless an upload holds it or a row refers to it by now. */
async function sweepImage(ports: SweepPorts, hash: string): Promise<boolean> {
  const { blobs, trash, database } = ports
  const now = ports.clock.now()
  const until = new Date(now.getTime() + CLAIM_MS).toISOString()
  const isClaimed = await database.transaction(async (trx) => {
    if (!(await claimImage(trx, hash, { now: now.toISOString(), until }))) return false
    // After the claim: an upload that held the image before has committed by now.
    if ((await findUsed(trx, [hash])).size === 0) return true
    await releaseClaim(trx, hash, until)
    return false
  })
  if (!isClaimed) return false
  for (const width of KEPT_WIDTHS) await moveBlob(imageFile(hash, width), { from: blobs, to: trash })
  await database.transaction(async (trx) => await releaseClaim(trx, hash, until))
  return true
}

/** Restores images that a row refers to again, for example after a restored backup, and deletes those trashed before a time, if given. */
async function emptyTrash(
  { blobs, trash, database }: SweepPorts,
  before: Date | undefined,
): Promise<Pick<Swept, 'restored' | 'deleted'>> {
  let restored = 0
  let deleted = 0
  for await (const batch of imagesOf(trash)) {
    const used = await findUsed(
      database.read,
      batch.map(({ hash }) => hash),
    )
    for (const { name, hash, isWidest, putAt } of batch) {
      if (used.has(hash)) {
        await moveBlob(name, { from: trash, to: blobs })
        if (isWidest) restored += 1
      } else if (before && putAt < before) {
        await trash.delete(name)
        if (isWidest) deleted += 1
      }
    }
  }
  return { restored, deleted }
}

async function moveBlob(name: string, { from, to }: { from: BlobStore; to: BlobStore }): Promise<void> {
  const bytes = await from.get(name)
  if (!bytes) return
  await to.put(name, bytes)
  await from.delete(name)
}

type ImageEntry = { name: string; hash: string; isWidest: boolean; putAt: Date }

/** The files of images, in batches. */
async function* imagesOf(blobs: BlobStore): AsyncGenerator<ImageEntry[]> {
  let batch: ImageEntry[] = []
  for await (const { name, putAt } of blobs.list()) {
    const image = readImageFile(name)
    if (!image) continue
    batch.push({ name, hash: image.hash, isWidest: WIDEST.includes(image.width), putAt })
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}
