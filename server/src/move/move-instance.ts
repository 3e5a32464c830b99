import type { Database } from '@marquee/platform/database/database'
import { Refusal } from '@marquee/platform/runtime/refusal'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { readBlobId } from '../installation/marks.ts'
import { makeTables, MIGRATIONS } from '../migrations/make-tables.ts'
import { moveImages } from './move-images.ts'
import { compareTable, copyTable, type Report } from './move-tables.ts'
import type { Source } from './source-store.ts'
import { beginMove, endProgress } from './target-store.ts'

/** The store with the images, and the one to move them to. */
type Images = { from: BlobStore; to: BlobStore }

/**
 * Copies an embedded instance into an empty database, and its images into another store if one is given; then compares
 * everything. It can be interrupted at any time and run again: it continues where it stopped.
 * @throws Refusal before anything changes, or if the copy differs
 */
export async function moveInstance(
  { source, target }: { source: Source; target: Database<unknown> },
  { images, report }: { images: Images | undefined; report: Report },
): Promise<{ rows: number; images: number }> {
  requireThisVersion(source)
  if (images) await requireOwnStore(images)
  await beginMove(target, source.tables)
  await makeTables(target)
  for (const table of source.tables) await copyTable({ source, target, report }, table)
  for (const table of source.tables) await compareTable({ source, target, report }, table)
  const count = images ? await moveImages(images.from, images.to, report) : 0
  await endProgress(target)
  return { rows: source.tables.reduce((sum, { rows }) => sum + rows, 0), images: count }
}

function requireThisVersion({ migrations }: Source): void {
  for (const [set, known] of Object.entries(MIGRATIONS)) {
    const done = migrations.get(`${set}_migration`) ?? []
    if (done.join('\n') === Object.keys(known).toSorted().join('\n')) continue
    throw new Refusal(
      'The data is of another version of Marquee. Start this version on it once, stop it, and try again.',
    )
  }
}

async function requireOwnStore({ from, to }: Images): Promise<void> {
  const [own, found] = await Promise.all([readBlobId(from), readBlobId(to)])
  if (found === undefined || found === own) return
  throw new Refusal(`The bucket belongs to another installation (${found}). Name an empty one.`)
}
