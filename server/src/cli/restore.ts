import { copyFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { SchemaTooNew } from '@marquee/platform/database/migrate'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { systemClock } from '@marquee/platform/runtime/clock'

import { BackupDamaged } from '../backup/database-store.ts'
import { restoreBackup, RestoreRefused, verifyBackup } from '../backup/restore-backup.ts'
import { openDataDir, whileLocked } from '../data-dir.ts'
import { makeTables } from '../migrations/make-tables.ts'
import { masterKeyFile } from '../master-keys.ts'
import type { Settings } from '../settings/settings.ts'
import { type Command, Misuse, readOptions } from './command.ts'
import { openIdentity } from './with-instance.ts'

/** Restores a backup, or checks whether it could be restored. */
export const restore: Command = {
  usage: 'restore FILE [--verify | --replace]',
  summary:
    'Checks a backup and puts it into an empty DATA_DIR. --verify: only checks. --replace: what is in DATA_DIR is moved aside.',
  refusals: [BackupDamaged, RestoreRefused, SchemaTooNew],
  run: async (args, settings) => {
    const { file, verify, replace } = readArguments(args)
    if (!existsSync(file)) throw new RestoreRefused(`There is no file ${file}.`)
    if (settings.DATABASE_URL !== undefined)
      throw new Misuse('DATABASE_URL is set: a backup is restored to an embedded instance.')
    const now = systemClock.now()
    const check = async (folder: string) => {
      await checkKeys(folder, settings)
    }
    await openDataDir(settings.DATA_DIR, console.error)
    const { files, madeAt } = verify
      ? await verifyBackup(file, settings.DATA_DIR, { check, now })
      : await whileLocked(settings.DATA_DIR, 'a restore', async () => {
          return await restoreBackup(file, settings.DATA_DIR, { check, replace, now })
        })
    console.log(`${Object.keys(files).length} files of ${madeAt} are whole, and the master key opens what is sealed.`)
    if (!verify) console.log(`They are in ${settings.DATA_DIR}: start the server.`)
  },
}

function readArguments(args: readonly string[]): { file: string; verify: boolean; replace: boolean } {
  const { values, positionals } = readOptions(args, {
    allowPositionals: true,
    options: { verify: { type: 'boolean', default: false }, replace: { type: 'boolean', default: false } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Misuse('Name one file to restore.')
  if (values.verify && values.replace) throw new Misuse('--verify changes nothing, so there is nothing to replace.')
  return { file: resolve(file), ...values }
}

/** On a migrated copy: the backup itself keeps the schema of its version. */
async function checkKeys(folder: string, settings: Settings): Promise<void> {
  const keyFile = masterKeyFile({ ...settings, DATA_DIR: folder })
  if (keyFile !== undefined && !existsSync(keyFile)) {
    throw new RestoreRefused('The master key is not in the backup: set MASTER_KEY or MASTER_KEY_FILE to it.')
  }
  const copy = join(folder, 'check.db')
  copyFileSync(join(folder, 'marquee.db'), copy)
  const database = openSqlite(copy)
  try {
    await makeTables(database)
    const identity = await openIdentity(database, { ...settings, DATA_DIR: folder })
    await identity.keys.verifySealed()
  } catch (error) {
    if (error instanceof SchemaTooNew) throw error
    throw new BackupDamaged(`The keys do not fit: ${error instanceof Error ? error.message : String(error)}.`)
  } finally {
    await database.close()
  }
}
