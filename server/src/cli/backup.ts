import { resolve } from 'node:path'

import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { codeOf, reasonOf } from '@marquee/platform/runtime/reason-of'

import { BackupDamaged } from '../backup/database-store.ts'
import { makeBackup } from '../backup/make-backup.ts'
import { masterKeyFile } from '../master-keys.ts'
import { type Command, Misuse } from './command.ts'
import { NoInstance, requireInstance } from './with-instance.ts'

/** No backup was made. The message says why. */
class BackupFailed extends Error {
  override readonly name = 'BackupFailed'
}

/** Writes a backup of an embedded instance, which may be running, to one file. */
export const backup: Command = {
  usage: 'backup FILE',
  summary: 'Saves the embedded instance in DATA_DIR to one file, also while it runs: database, images and master key.',
  refusals: [BackupDamaged, BackupFailed, NoInstance],
  run: async (args, settings) => {
    const [file, ...more] = args
    if (file === undefined || more.length > 0 || file.startsWith('-')) throw new Misuse('Name one file to write.')
    if (settings.DATABASE_URL !== undefined || settings.S3_BUCKET !== undefined)
      throw new Misuse('Only an embedded instance is backed up by this command; docs/operating.md has the others.')
    requireInstance(settings)
    const keyFile = masterKeyFile(settings)
    const target = resolve(file)
    const { files } = await makeBackup({ dataDir: settings.DATA_DIR, keyFile }, target, {
      now: systemClock.now(),
      random: systemRandom,
    }).catch((error: unknown) => {
      if (error instanceof BackupDamaged || codeOf(error) === undefined) throw error
      throw new BackupFailed(
        `No backup was made to ${target}: ${reasonOf(error)}. It takes room for a copy of the database in ` +
          `${settings.DATA_DIR}, and for all that is there beside the file.`,
      )
    })
    console.log(`${target}: ${Object.keys(files).length} files, checked.`)
    console.log(
      keyFile === undefined
        ? 'The master key is not in it: it was given as MASTER_KEY. Keep that as well.'
        : 'The master key is in it: keep it private.',
    )
  },
}
