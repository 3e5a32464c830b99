import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { systemRandom } from '@marquee/platform/runtime/random'
import { codeOf } from '@marquee/platform/runtime/reason-of'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

/** A file in the image store. Sweeps ignore it, because it is not named like an image. */
const BLOB_NAME = 'installation-id'

/** The places of an installation outside its database. */
export type Places = { dataDir: string; blobs: BlobStore }

/** A place outside the database that has the id of its installation. */
export type Mark = {
  /** Its name in messages to the operator. */
  place: string
  read: () => Promise<string | undefined>
  write: (id: string) => Promise<void>
  /** Whether it has the id whenever the database has one. Keys may also come from settings or a restored file. */
  isAlwaysMarked: boolean
  /** Whether the place holds data of an installation, with or without an id. */
  isUsed: () => Promise<boolean>
}

export function marksOf({ dataDir, blobs }: Places): readonly Mark[] {
  const file = installationIdFile(dataDir)
  const keys = dirname(file)
  return [
    {
      place: keys,
      read: async () => await readIdFile(file),
      write: async (id) => await writeIdFile(file, id),
      isAlwaysMarked: false,
      isUsed: async () => await Promise.resolve(existsSync(file) || existsSync(join(keys, 'master.key'))),
    },
    {
      place: 'the image store',
      read: async () => await readBlobId(blobs),
      write: async (id) => await blobs.put(BLOB_NAME, Buffer.from(id)),
      isAlwaysMarked: true,
      isUsed: async () => await hasBlobs(blobs),
    },
  ]
}

export function installationIdFile(dataDir: string): string {
  return join(dataDir, 'keys', 'installation-id')
}

/** The id of an image store. */
export async function readBlobId(blobs: BlobStore): Promise<string | undefined> {
  return (await blobs.get(BLOB_NAME))?.toString('utf8')
}

async function hasBlobs(blobs: BlobStore): Promise<boolean> {
  const first = await blobs.list()[Symbol.asyncIterator]().next()
  return first.done !== true
}

async function readIdFile(file: string): Promise<string | undefined> {
  try {
    const id = (await readFile(file, 'utf8')).trim()
    // A power failure can leave an empty file.
    return id === '' ? undefined : id
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function writeIdFile(file: string, id: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${systemRandom.uuid()}`
  await writeFile(draft, `${id}\n`, { mode: 0o600 })
  await rename(draft, file)
}
