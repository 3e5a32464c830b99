import { resolve } from 'node:path'

import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'

import { BackupDamaged } from '../backup/database-store.ts'
import { makeBackup } from '../backup/make-backup.ts'
import { masterKeyFile } from '../master-keys.ts'
import { type Command, Misuse } from './command.ts'
import { NoInstance, requireInstance } from './no-instance.ts'

/** Saves an embedded instance, which may be running, to one file. */
export const backup: Command = {
  usage: 'backup FILE',
  summary: 'Saves the embedded instance in DATA_DIR to one file, also while it runs: database, images and master key.',
  refusals: [BackupDamaged, NoInstance],
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
    })
    console.log(`${target}: ${Object.keys(files).length} files, checked.`)
    console.log(
      keyFile === undefined
        ? 'The master key is not in it: it was given as MASTER_KEY. Keep that as well.'
        : 'The master key is in it: keep it where nobody else can read it.',
    )
  },
}
