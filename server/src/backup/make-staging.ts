import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { DAY_MS } from '@marquee/platform/runtime/durations'

/** `scheduled`: for an attempt of the schedule, which removes what earlier attempts left. */
export type StagingKind = 'backup' | 'restore' | 'scheduled'

/**
 * Creates a temporary folder for a backup or restore in the data folder. Those of the same kind, and of the schedule,
 * that are older than a day are removed: their process was killed, and they contain a copy of the database.
 */
export async function makeStaging(dataDir: string, kind: StagingKind, now: Date): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const prefix = prefixOf(kind)
  const prefixes = [prefix, prefixOf('scheduled')]
  for (const name of await readdir(dataDir)) {
    if (!prefixes.some((each) => name.startsWith(each))) continue
    const path = join(dataDir, name)
    // Another attempt may have removed its own since.
    const found = await stat(path).catch(() => undefined)
    if (found && now.getTime() - found.mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true })
  }
  return await mkdtemp(join(dataDir, prefix))
}

/** Removes the folders of attempts of the schedule, of which one runs at a time. */
export async function removeScheduledStaging(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(prefixOf('scheduled')))
  for (const name of names) await rm(join(dataDir, name), { recursive: true, force: true })
}

function prefixOf(kind: StagingKind): string {
  return `.${kind}-`
}
