import { join } from 'node:path'

import type { Database } from '@marquee/platform/database/database'
import { systemRandom } from '@marquee/platform/runtime/random'
import { Refusal } from '@marquee/platform/runtime/refusal'
import { withoutPassword } from '@marquee/platform/runtime/without-password'

import type { Settings } from '../settings/settings.ts'
import { type Mark, marksOf, type Places } from './marks.ts'
import { addInstallationId, isUnmarked, readInstallationId, removeUnmarked } from './store.ts'

const RESET = 'npm run marquee -- reset-installation-id'

/**
 * Runs before the first tables are created: an empty database may be a lost one, or the wrong one.
 * @throws {Refusal} if there are already keys or images of an installation
 */
export async function refuseLostDatabase(
  { DATABASE_URL: url, DATA_DIR: dataDir }: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>,
  places: Places,
): Promise<void> {
  const database = url === undefined ? join(dataDir, 'marquee.db') : `The database at ${withoutPassword(url)}`
  for (const { place, isUsed } of marksOf(places)) {
    if (!(await isUsed())) continue
    throw new Refusal(
      `${database} is empty or missing, but ${place} belongs to an installation. ` +
        'Restore the database from a backup, or correct DATA_DIR, DATABASE_URL and S3_BUCKET. ' +
        `To start with an empty database on purpose: ${RESET}`,
    )
  }
}

/**
 * Checks that the database, the keys and the image store belong together. A part without an id, as after an upgrade or
 * after restoring an old backup, gets the id of the others. But an image store without an id cannot belong to a database
 * that has one.
 * @throws {Refusal} if two of them have different ids, or the image store is gone; nothing is written then
 */
export async function confirmInstallation(database: Database<unknown>, places: Places): Promise<void> {
  // The database first: another process that starts now writes the marks before it says that all are marked.
  const known = await readInstallationId(database.read)
  const isComplete = known !== undefined && !(await isUnmarked(database.read))
  const marks = await Promise.all(marksOf(places).map(async (mark) => ({ ...mark, id: await mark.read() })))
  const [marked] = marks.filter(({ id }) => id !== undefined)
  for (const { place, id } of marks) {
    const other = known === undefined ? marked : { place: 'the database', id: known }
    if (id !== undefined && other !== undefined && id !== other.id) throw differ({ place, id }, other)
  }
  const lost = marks.find((mark) => mark.id === undefined && mark.isAlwaysMarked)
  if (isComplete && lost !== undefined) throw gone(lost.place, known)
  const id = known ?? (await keepId(database, marked?.id))
  await write(
    marks.filter((mark) => mark.id === undefined),
    id,
  )
  if (!isComplete) await allMarked(database)
}

/** Gives the keys and the image store the id of the database, whatever id they had. Returns the id. */
export async function makeOneInstallation(database: Database<unknown>, places: Places): Promise<string> {
  const id = await keepId(database, undefined)
  await write(marksOf(places), id)
  await allMarked(database)
  return id
}

async function allMarked(database: Database<unknown>): Promise<void> {
  await database.transaction(async (trx) => await removeUnmarked(trx))
}

/** The id of the database if it has one; otherwise the given or a new one. Concurrent processes get the same. */
async function keepId(database: Database<unknown>, id: string = systemRandom.uuid()): Promise<string> {
  await database.transaction(async (trx) => await addInstallationId(trx, id))
  return (await readInstallationId(database.read)) ?? id
}

async function write(marks: readonly Mark[], id: string): Promise<void> {
  for (const mark of marks) await mark.write(id)
}

function gone(place: string, id: string): Refusal {
  return new Refusal(
    `${place} is missing or empty: it has no id, and the database belongs to installation ${id}. ` +
      'Mount or restore images/, or correct DATA_DIR and S3_BUCKET. ' +
      `To start without the images on purpose: ${RESET}`,
  )
}

function differ(one: { place: string; id: string }, other: { place: string; id: string | undefined }): Refusal {
  return new Refusal(
    `${one.place} belongs to installation ${one.id}, and ${other.place} to installation ${other.id ?? ''}. ` +
      'Correct DATA_DIR, DATABASE_URL and S3_BUCKET, or restore backups that belong together. ' +
      `If they do belong together from now on: ${RESET}`,
  )
}
