import { PERSONAL_TOKENS } from '@marquee/contract/rules/personal-token'
import { openDatabase } from '@marquee/platform/database/open'
import { createLogger } from '@marquee/platform/runtime/logger'

import { openDataDir, whileLocked } from '../data-dir.ts'
import { openImageStore } from '../image-store.ts'
import { makeOneInstallation } from '../installation/installation.ts'
import { openTables } from '../migrations/make-tables.ts'
import type { Settings } from '../settings/settings.ts'
import { type Command, Misuse } from './command.ts'

/** For an operator whose parts come from different installations on purpose, which the start rejects. */
export const resetInstallationId: Command = {
  usage: 'reset-installation-id',
  summary: 'Makes DATA_DIR and the image store belong to the database, after a start was refused since they did not.',
  run: async (args, settings) => {
    if (args.length > 0) throw new Misuse('reset-installation-id takes no arguments.')
    const { DATABASE_URL, DATA_DIR } = settings
    await openDataDir(DATA_DIR, console.error)
    const id = await (DATABASE_URL === undefined
      ? whileLocked(DATA_DIR, 'reset-installation-id', async () => await reset(settings))
      : reset(settings))
    console.log(`The database, ${DATA_DIR} and the image store belong to installation ${id} now.`)
    console.log('Images that this database does not refer to may be swept from tomorrow on.')
  },
}

async function reset(settings: Settings): Promise<string> {
  const { DATABASE_URL: url, DATA_DIR: dataDir } = settings
  const database = await openDatabase({ url, dataDir }, createLogger(settings.LOG_LEVEL, { secret: PERSONAL_TOKENS }))
  try {
    await openTables(database, settings, { print: console.log })
    const { blobs } = await openImageStore(settings)
    return await makeOneInstallation(database, { dataDir, blobs })
  } finally {
    await database.close()
  }
}
