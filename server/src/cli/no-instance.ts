import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { withoutPassword } from '@marquee/platform/runtime/without-password'

import type { Settings } from '../settings.ts'

/** There is no instance. */
export class NoInstance extends Error {
  override readonly name = 'NoInstance'
}

/** @throws NoInstance if the settings name an embedded instance that does not exist, so that none is created by mistake. */
export function requireInstance(settings: Settings): void {
  if (settings.DATABASE_URL !== undefined || existsSync(join(settings.DATA_DIR, 'marquee.db'))) return
  throw noInstance(settings)
}

export function noInstance({ DATABASE_URL: url, DATA_DIR: dataDir }: Settings): NoInstance {
  const place = url === undefined ? dataDir : withoutPassword(url)
  return new NoInstance(`There is no instance in ${place}. Set DATA_DIR or DATABASE_URL as its server has them.`)
}
