import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Settings } from '../settings.ts'

/** There is nothing to work on. */
export class NoInstance extends Error {
  override readonly name = 'NoInstance'
}

/** @throws NoInstance where the settings name an embedded instance that is not there: none is to be made by mistake. */
export function requireInstance({ DATABASE_URL, DATA_DIR }: Settings): void {
  if (DATABASE_URL !== undefined || existsSync(join(DATA_DIR, 'marquee.db'))) return
  throw new NoInstance(`There is no instance in ${DATA_DIR}. Set DATA_DIR or DATABASE_URL as its server has them.`)
}
