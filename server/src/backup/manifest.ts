import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { z } from 'zod'

import { BackupDamaged } from './database-store.ts'

const MANIFEST = 'manifest.json'

/**
 * The content of a backup: the path of every other file with its SHA-256 in hex, and how many rows each table has, which
 * earlier versions did not write.
 */
const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/u)),
  rows: z.record(z.string(), z.number()).optional(),
})
export type Manifest = z.output<typeof Manifest>

/** Writes the manifest of a folder. */
export async function writeManifest(
  folder: string,
  { madeAt, rows }: { madeAt: Date; rows: Readonly<Record<string, number>> },
): Promise<Manifest> {
  const manifest: Manifest = { format: 1, madeAt: madeAt.toISOString(), files: await hashFiles(folder), rows }
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 1)}\n`, { mode: 0o600 })
  return manifest
}

/**
 * Compares a folder, and the hashes of files that are not in it, with its manifest.
 * @throws BackupDamaged naming the first file that differs.
 */
export async function checkManifest(folder: string, elsewhere: Readonly<Record<string, string>>): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const found = { ...(await hashFiles(folder)), ...elsewhere }
  for (const [path, hash] of Object.entries(manifest.files)) {
    if (found[path] === undefined) throw new BackupDamaged(`${path} is missing in the backup.`)
    if (found[path] !== hash) throw new BackupDamaged(`${path} in the backup is not what was put into it.`)
  }
  const extra = Object.keys(found).find((path) => manifest.files[path] === undefined)
  if (extra !== undefined) throw new BackupDamaged(`${extra} is not part of the backup.`)
  return manifest
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new BackupDamaged('This is not a backup of Marquee: it has no manifest.')
  })
  try {
    return Manifest.parse(JSON.parse(text))
  } catch (error) {
    throw new BackupDamaged('The manifest of the backup cannot be read: this version does not know its format.', {
      cause: error,
    })
  }
}

async function hashFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const hashes: Record<string, string> = {}
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const full = join(entry.parentPath, entry.name)
    const path = full.slice(folder.length + 1)
    if (path !== MANIFEST) hashes[path] = await hashFile(full)
  }
  return hashes
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
