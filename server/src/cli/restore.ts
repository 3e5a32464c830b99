import { copyFileSync, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { SchemaTooNew } from '@marquee/platform/database/migrate'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { systemClock } from '@marquee/platform/runtime/clock'
import { Refusal } from '@marquee/platform/runtime/refusal'
import { describeUnopened, verifyColumns } from '@marquee/platform/sealed/reseal'

import { isOnAmazon } from '../amazon-accounts.ts'
import { fetchBackup } from '../backup/bucket-place.ts'
import { BackupDamaged } from '../backup/database-store.ts'
import { makeStaging } from '../backup/make-staging.ts'
import { restoreBackup, verifyBackup } from '../backup/restore-backup.ts'
import { openDataDir, whileLocked } from '../data-dir.ts'
import { OPERATOR_CALL_MS, openBucket } from '../image-store.ts'
import { makeTables } from '../migrations/make-tables.ts'
import { masterKeyFile, readMasterKeys } from '../master-keys.ts'
import { sealedColumns } from '../sealed-columns.ts'
import type { Settings } from '../settings/settings.ts'
import { type Command, Misuse, readNames } from './command.ts'
import { openIdentity } from './with-instance.ts'

/** Restores a backup, or checks whether it could be restored. */
export const restore: Command = {
  usage: 'restore (FILE | --from-bucket [NAME]) [--verify | --replace]',
  summary: [
    'Checks a backup and puts it into an empty DATA_DIR. --verify: only checks. --replace: what is in DATA_DIR is moved aside.',
    '--from-bucket: a scheduled backup in S3_BUCKET, by default the newest.',
  ].join('\n      '),
  run: async (args, settings) => {
    const { names, has } = readNames(args, ['from-bucket', 'verify', 'replace'])
    const [name, ...more] = names
    if (more.length > 0) throw new Misuse('Name one file to restore.')
    const [verify, replace] = [has('verify'), has('replace')]
    if (verify && replace) throw new Misuse('--verify changes nothing, so there is nothing to replace.')
    if (!verify && settings.DATABASE_URL !== undefined)
      throw new Misuse('DATABASE_URL is set: a backup is restored to an embedded instance, which can be moved then.')
    await openDataDir(settings.DATA_DIR, console.error)
    const put = async (file: string): Promise<void> => {
      await restoreFile(file, settings, { verify, replace })
    }
    if (has('from-bucket')) await whileFetched(name, settings, put)
    else if (name === undefined) throw new Misuse('Name one file to restore.')
    else await put(resolve(name))
  },
}

async function restoreFile(
  file: string,
  settings: Settings,
  { verify, replace }: { verify: boolean; replace: boolean },
): Promise<void> {
  if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`)
  const now = systemClock.now()
  const check = async (folder: string): Promise<void> => {
    await checkKeys(folder, settings, verify || replace)
  }
  const { files, madeAt } = verify
    ? await verifyBackup(file, settings.DATA_DIR, { check, now })
    : await whileLocked(settings.DATA_DIR, 'a restore', async () => {
        return await restoreBackup(file, settings.DATA_DIR, { check, replace, now, keyFile: masterKeyFile(settings) })
      })
  console.log(`${Object.keys(files).length} files of ${madeAt} are whole, and the master key fits.`)
  if (!verify) console.log(`They are in ${settings.DATA_DIR}: start the server.`)
}

/** Fetches a backup from the bucket into a temporary folder. */
async function whileFetched(
  name: string | undefined,
  settings: Settings,
  work: (file: string) => Promise<void>,
): Promise<void> {
  const { S3_BUCKET, DATA_DIR } = settings
  if (S3_BUCKET === undefined) throw new Misuse('S3_BUCKET is not set.')
  const bucket = await openBucket({ ...settings, S3_BUCKET }, { callMs: OPERATOR_CALL_MS })
  const folder = await makeStaging(DATA_DIR, 'restore', systemClock.now())
  try {
    const path = join(folder, 'fetched.tar')
    const found = await fetchBackup(bucket, { name, path, now: systemClock.now() })
    if (found === undefined)
      throw new Refusal(`There is no verified backup ${name ?? ''} in the bucket ${S3_BUCKET}.`.replace('  ', ' '))
    console.log(`Fetched ${found} from the bucket ${S3_BUCKET}.`)
    await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** On a migrated copy: the backup itself keeps the schema of its version. */
async function checkKeys(folder: string, settings: Settings, isInPlace: boolean): Promise<void> {
  // A backup without the key can be verified where its instance is, and replace it there.
  const home = isInPlace && !existsSync(join(folder, 'keys', 'master.key')) ? settings.DATA_DIR : folder
  const keyFile = masterKeyFile({ ...settings, DATA_DIR: home })
  if (keyFile !== undefined && !existsSync(keyFile)) {
    throw new Refusal('The master key is not in the backup: set MASTER_KEY or MASTER_KEY_FILE to it.')
  }
  const copy = join(folder, 'check.db')
  copyFileSync(join(folder, 'marquee.db'), copy)
  const database = openSqlite(copy)
  try {
    await makeTables(database)
    const own = { ...settings, DATA_DIR: home }
    const masterKeys = await readMasterKeys(own, database)
    const ofAccounts = isOnAmazon(own) ? 0 : await (await openIdentity(database, own)).keys.verifySealed()
    const { opened, unopened } = await verifyColumns(database.read, sealedColumns(masterKeys))
    // A few may be lost already in the instance itself, and its backups count all the same.
    if (unopened.length > 0 && ofAccounts + opened === 0) throw new Error('the master key opens no encrypted value')
    for (const sentence of describeUnopened(unopened)) console.log(sentence)
  } catch (error) {
    if (error instanceof SchemaTooNew) throw error
    throw new BackupDamaged(`The keys do not fit: ${error instanceof Error ? error.message : String(error)}.`)
  } finally {
    await database.close()
  }
}
