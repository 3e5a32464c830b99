import type { Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { imageFile, KEPT_WIDTHS, readImageFile } from './names.ts'
import { claimImage, dropExpiredHolds, findUsed, listForsakenClaims, releaseClaim } from './store.ts'

export type SweepPorts = {
  readonly database: Database<unknown>
  readonly blobs: BlobStore
  readonly clock: Clock
}

const BATCH = 500
/** Whoever claimed an image and has not removed it by then is taken for dead. */
const CLAIM_MS = 60 * 60_000

/**
 * Removes every image that no row refers to and that was put longer than `graceMs` ago: replaced and removed avatars,
 * images of watchlists, posters of cards, and what failed uploads left. Gives how many it removed. It may run in many
 * processes at once, and beside uploads: what somebody holds is left alone, and what is claimed here is held by nobody.
 */
export async function sweepImages(ports: SweepPorts, { graceMs }: { graceMs: number }): Promise<number> {
  const now = ports.clock.now()
  let removed = 0
  for (const hash of await listForsakenClaims(ports.database.read, now.toISOString())) {
    if (await sweepImage(ports, hash)) removed += 1
  }
  for await (const hashes of oldImages(ports.blobs, new Date(now.getTime() - graceMs))) {
    const used = await findUsed(ports.database.read, hashes)
    for (const hash of hashes) {
      if (!used.has(hash) && (await sweepImage(ports, hash))) removed += 1
    }
  }
  await ports.database.transaction(async (trx) => {
    await dropExpiredHolds(trx, now.toISOString())
  })
  return removed
}

/** Removes one image, unless someone has come to hold it or to refer to it meanwhile. */
async function sweepImage(ports: SweepPorts, hash: string): Promise<boolean> {
  const now = ports.clock.now()
  const until = new Date(now.getTime() + CLAIM_MS).toISOString()
  const isClaimed = await ports.database.transaction(async (trx) => {
    if (!(await claimImage(trx, hash, { now: now.toISOString(), until }))) return false
    // Only now: whoever held it until the claim has committed by this statement.
    if ((await findUsed(trx, [hash])).size === 0) return true
    await releaseClaim(trx, hash, until)
    return false
  })
  if (!isClaimed) return false
  for (const width of KEPT_WIDTHS) await ports.blobs.delete(imageFile(hash, width))
  await ports.database.transaction(async (trx) => {
    await releaseClaim(trx, hash, until)
  })
  return true
}

/** The images of which a file was put before then, in batches. */
async function* oldImages(blobs: BlobStore, before: Date): AsyncGenerator<string[]> {
  let hashes = new Set<string>()
  for await (const { name, putAt } of blobs.list()) {
    const image = readImageFile(name)
    if (!image || putAt >= before) continue
    hashes.add(image.hash)
    if (hashes.size < BATCH) continue
    yield [...hashes]
    hashes = new Set()
  }
  yield [...hashes]
}
