import type { Database } from '@marquee/platform/database/database'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { moveImages } from './move-images.ts'
import { compareTable, copyTable, type Report } from './move-tables.ts'
import { type Source, SourceRefused } from './source-store.ts'
import { beginProgress, endProgress, isEmpty, isMoveUnfinished, readMigrations } from './target-store.ts'

/** The database to move into cannot be used: the message says why and what to do. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

/**
 * Copies an embedded instance into a database whose tables are made but hold nothing, and its images into another store
 * where one is given; then compares all of it. Can be interrupted at any time and run again: it goes on where it ended.
 * @throws SourceRefused, TargetRefused before anything is changed; RowsDiffer, ImageDiffers when the copy is not the same
 */
export async function moveInstance(
  { source, target }: { source: Source; target: Database<unknown> },
  { images, report }: { images: { from: BlobStore; to: BlobStore } | undefined; report: Report },
): Promise<{ rows: number; images: number }> {
  await requireSameTables(source, target)
  await requireOwnTarget(source, target)
  await beginProgress(target)
  for (const table of source.tables) await copyTable({ source, target, report }, table)
  for (const table of source.tables) await compareTable({ source, target, report }, table)
  const count = images ? await moveImages(images.from, images.to, report) : 0
  await endProgress(target)
  return { rows: source.tables.reduce((sum, { rows }) => sum + rows, 0), images: count }
}

async function requireSameTables(source: Source, target: Database<unknown>): Promise<void> {
  for (const [list, names] of source.migrations) {
    const theirs = await readMigrations(target, list)
    if (names.join('\n') !== theirs.join('\n')) {
      throw new SourceRefused(
        'The data is of another version of Marquee. Start this version on it once, stop it, and try again.',
      )
    }
  }
}

async function requireOwnTarget(source: Source, target: Database<unknown>): Promise<void> {
  if (await isMoveUnfinished(target)) return
  for (const table of source.tables) {
    if (!(await isEmpty(target, table))) {
      throw new TargetRefused(`The database to move into is in use already: ${table.name} has rows. Name an empty one.`)
    }
  }
}
