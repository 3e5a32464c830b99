import type { Dirent } from 'node:fs'
import { access, mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Random } from '../runtime/random.ts'
import { type BlobEntry, type BlobStore, checkBlobName } from './blob-store.ts'

/** Blobs as files, in sub-folders named by the first two characters of their names. */
export function diskStore({ folder, random }: { folder: string; random: Random }): BlobStore {
  function pathOf(name: string): string {
    checkBlobName(name)
    return join(folder, name.slice(0, 2), name)
  }

  return {
    put: async (name, bytes) => {
      const path = pathOf(name)
      const home = dirname(path)
      const created = await mkdir(home, { recursive: true, mode: 0o700 })
      const draft = join(folder, `.${random.uuid()}`)
      try {
        await writeDurably(draft, bytes)
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      // A file survives a power failure only once its folder is synced too.
      await syncFolder(home)
      if (created !== undefined) await syncFolder(folder)
    },
    get: async (name) => {
      try {
        return await readFile(pathOf(name))
      } catch (error) {
        if (isNotFound(error)) return undefined
        throw error
      }
    },
    has: async (name) => {
      try {
        await access(pathOf(name))
        return true
      } catch (error) {
        if (isNotFound(error)) return false
        throw error
      }
    },
    delete: async (name) => await rm(pathOf(name), { force: true }),
    list: async function* listBlobs() {
      for await (const home of entriesOf(folder)) {
        if (!home.isDirectory()) continue
        for await (const file of entriesOf(join(folder, home.name))) {
          const entry = await describe(join(folder, home.name, file.name), file.name)
          if (entry) yield entry
        }
      }
    },
  }
}

async function* entriesOf(path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(path)
  } catch (error) {
    if (!isNotFound(error)) throw error // nothing was put there yet
  }
}

/** Undefined if the file was deleted after its folder was read. */
async function describe(path: string, name: string): Promise<BlobEntry | undefined> {
  try {
    return { name, putAt: (await stat(path)).mtime }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
