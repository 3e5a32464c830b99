import { join, resolve } from 'node:path'

import { OPERATOR_SILENCE_MS, reachPostgres } from '@marquee/platform/database/open'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { codeOf, reasonOf } from '@marquee/platform/runtime/reason-of'
import { StartRefusal } from '@marquee/platform/runtime/start-refusal'

import { BackupDamaged, copyAndCount } from '../backup/database-store.ts'
import { type Instance, makeBackup } from '../backup/make-backup.ts'
import { copySnapshot, SnapshotRefused } from '../move/postgres-snapshot-store.ts'
import { masterKeyFile } from '../master-keys.ts'
import { MoveUnfinished } from '../migrations/unfinished-move.ts'
import type { Settings } from '../settings/settings.ts'
import { type Command, Misuse, readOptions } from './command.ts'
import { NoInstance, requireInstance } from './with-instance.ts'

/** No backup was made. The message says why. */
class BackupFailed extends Error {
  override readonly name = 'BackupFailed'
}

/** Writes a backup of an instance, which may be running, to one file. */
export const backup: Command = {
  usage: 'backup FILE [--without-key]',
  summary:
    'Saves the instance of the settings to one file, also while it runs: database, images unless they are in a bucket, and master key unless --without-key.',
  refusals: [BackupDamaged, BackupFailed, NoInstance, SnapshotRefused, MoveUnfinished],
  run: async (args, settings) => {
    const { file, withKey } = readArguments(args)
    requireInstance(settings)
    const instance: Instance = {
      dataDir: settings.DATA_DIR,
      hasImages: settings.S3_BUCKET === undefined,
      keyFile: withKey ? masterKeyFile(settings) : undefined,
      copyDatabase: async (to) => await copyDatabaseOf(settings, to),
    }
    const { files } = await makeBackup(instance, file, { now: systemClock.now(), random: systemRandom }).catch(
      (error: unknown) => {
        throw explain(error, file, settings)
      },
    )
    console.log(`${file}: ${Object.keys(files).length} files, checked.`)
    console.log(wordOfKey(withKey, instance))
    if (!instance.hasImages)
      console.log(`The images are not in it: they are in the bucket ${settings.S3_BUCKET ?? ''}.`)
  },
}

function readArguments(args: readonly string[]): { file: string; withKey: boolean } {
  const { values, positionals } = readOptions(args, {
    allowPositionals: true,
    options: { 'without-key': { type: 'boolean', default: false } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Misuse('Name one file to write.')
  return { file: resolve(file), withKey: !values['without-key'] }
}

async function copyDatabaseOf(
  { DATABASE_URL: url, DATA_DIR: dataDir }: Settings,
  to: string,
): Promise<Record<string, number>> {
  if (url === undefined) return await copyAndCount(join(dataDir, 'marquee.db'), to)
  const onIdleError = (error: Error): void => {
    console.error(error.message)
  }
  const database = await reachPostgres(url, { onIdleError, silenceMs: OPERATOR_SILENCE_MS })
  try {
    return await copySnapshot(database, to)
  } finally {
    await database.close()
  }
}

/** A failure of the disk gets the advice to make room; others speak for themselves. */
function explain(error: unknown, file: string, { DATABASE_URL, DATA_DIR }: Settings): unknown {
  if (error instanceof BackupDamaged || error instanceof StartRefusal || codeOf(error) === undefined) return error
  const advice =
    `It takes room for a copy of the database in ${DATA_DIR}, and for all that is there beside the file` +
    (DATABASE_URL === undefined ? '' : '; and PostgreSQL must answer meanwhile')
  return new BackupFailed(`No backup was made to ${file}: ${reasonOf(error)}. ${advice}.`)
}

function wordOfKey(withKey: boolean, { keyFile }: Instance): string {
  if (!withKey) return 'The master key is not in it: keep that elsewhere, or no one can sign in after a restore.'
  return keyFile === undefined
    ? 'The master key is not in it: it was given as MASTER_KEY. Keep that as well.'
    : 'The master key is in it: keep it private.'
}
