import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

import { Refusal } from '@marquee/platform/runtime/refusal'

/**
 * How many times its size an upgrade of the embedded database needs: the copy; and if rows are filled or indexed, what
 * is added, twice because it is first in the log of the transaction. Measured from the first version (docs/operating.md).
 */
const COPY = 1
const COPY_AND_ROWS = 5
const MEGABYTE = 1_000_000

/**
 * Checks the free space before an upgrade, because one that runs out of space halfway has taken minutes for nothing.
 * @throws {Refusal} with both figures. Returns the size of the database in megabytes.
 */
export async function refuseWithoutRoom(dataDir: string, changesRows: boolean): Promise<number> {
  const sizes = await Promise.all(
    ['marquee.db', 'marquee.db-wal'].map(async (name) => await sizeOf(join(dataDir, name))),
  )
  const size = sizes.reduce((sum, one) => sum + one, 0)
  const needed = megabytes(size * (changesRows ? COPY_AND_ROWS : COPY))
  const { bavail, bsize } = await statfs(dataDir)
  const free = Math.floor((bavail * bsize) / MEGABYTE)
  if (free < needed) {
    throw new Refusal(
      `The upgrade of the database needs ${needed} MB of free space in ${dataDir}, and there are ${free} MB. Nothing was ` +
        'changed. Make room and start again, or go on with the version that ran before.',
    )
  }
  return megabytes(size)
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / MEGABYTE)
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? 0
}
