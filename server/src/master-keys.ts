import { join } from 'node:path'

import { isEncrypted } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { type KeySet, readOrCreateKeys } from '@marquee/platform/runtime/key-file'
import { systemRandom } from '@marquee/platform/runtime/random'

import type { Settings } from './settings.ts'

/** The master key of the settings, else of its file, which is made for a new database; and those from before. */
export async function readMasterKeys(
  settings: Pick<Settings, 'DATA_DIR' | 'MASTER_KEY' | 'MASTER_KEY_FILE' | 'MASTER_KEYS_PREVIOUS'>,
  database: Database<unknown>,
): Promise<KeySet> {
  const before = settings.MASTER_KEYS_PREVIOUS ?? []
  if (settings.MASTER_KEY) return { current: settings.MASTER_KEY, previous: before }
  const path = settings.MASTER_KEY_FILE ?? defaultFile(settings.DATA_DIR)
  const { current, previous } = await readOrCreateKeys(path, {
    random: systemRandom,
    mayMake: async () => !(await isEncrypted(database)),
  })
  return { current, previous: [...previous, ...before] }
}

/** The file of the master key; undefined where the settings hold the key itself. */
export function masterKeyFile(
  settings: Pick<Settings, 'DATA_DIR' | 'MASTER_KEY' | 'MASTER_KEY_FILE'>,
): string | undefined {
  return settings.MASTER_KEY ? undefined : (settings.MASTER_KEY_FILE ?? defaultFile(settings.DATA_DIR))
}

function defaultFile(dataDir: string): string {
  return join(dataDir, 'keys', 'master.key')
}
