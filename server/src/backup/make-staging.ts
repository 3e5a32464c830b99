import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { DAY_MS } from '@marquee/platform/runtime/durations'

/**
 * Creates a temporary folder for a backup or restore in the data folder. Those of the same kind that are older than a day
 * are removed: their process was killed, and they contain a copy of the database.
 */
export async function makeStaging(dataDir: string, kind: 'backup' | 'restore', now: Date): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const prefix = `.${kind}-`
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(prefix)) continue
    const path = join(dataDir, name)
    if (now.getTime() - (await stat(path)).mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true })
  }
  return await mkdtemp(join(dataDir, prefix))
}
