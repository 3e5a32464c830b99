import { join, resolve } from 'node:path'

import { OPERATOR_SILENCE_MS, reachPostgres } from '@marquee/platform/database/open'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { codeOf, reasonOf } from '@marquee/platform/runtime/reason-of'
import { Refusal } from '@marquee/platform/runtime/refusal'

import { copyAndCount } from '../backup/database-store.ts'
import { type Instance, makeBackup } from '../backup/make-backup.ts'
import { copySnapshot } from '../move/postgres-snapshot-store.ts'
import { masterKeyFile } from '../master-keys.ts'
import type { Settings } from '../settings/settings.ts'
import { type Command, readName } from './command.ts'
import { requireInstance } from './with-instance.ts'

/** Writes a backup of an instance, which may be running, to one file. */
export const backup: Command = {
  usage: 'backup FILE [--without-key]',
  summary:
    'Saves the instance of the settings to one file, also while it runs: database, images unless they are in a bucket, and master key unless --without-key.',
  run: async (args, settings) => {
    const { name, has } = readName(args, ['without-key'], 'Name one file to write.')
    const [file, withKey] = [resolve(name), !has('without-key')]
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
  if (error instanceof Refusal || codeOf(error) === undefined) return error
  const advice =
    `It takes room for a copy of the database in ${DATA_DIR}, and for all that is there beside the file` +
    (DATABASE_URL === undefined ? '' : '; and PostgreSQL must answer meanwhile')
  return new Refusal(`No backup was made to ${file}: ${reasonOf(error)}. ${advice}.`)
}

function wordOfKey(withKey: boolean, { keyFile }: Instance): string {
  if (!withKey) return 'The master key is not in it: keep that elsewhere, or no one can sign in after a restore.'
  return keyFile === undefined
    ? 'The master key is not in it: it was given as MASTER_KEY. Keep that as well.'
    : 'The master key is in it: keep it private.'
}
