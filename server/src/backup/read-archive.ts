import { createHash } from 'node:crypto'

import { list } from 'tar'

/** What an archive says about its files. */
export type Archive = {
  /** The SHA-256 of the files that are not unpacked, by path, in hex. */
  readonly hashes: Readonly<Record<string, string>>
  readonly unpackedBytes: number
  readonly databaseBytes: number
}

/** Reads a whole archive without unpacking it. */
export async function readArchive(file: string, leaveOut: (path: string) => boolean): Promise<Archive> {
  const hashes: Record<string, string> = {}
  let [unpackedBytes, databaseBytes] = [0, 0]
  await list({
    file,
    strict: true,
    onReadEntry: (entry) => {
      if (entry.type !== 'File') return
      const path = entry.path.replace(/^\.\//u, '')
      if (path === 'marquee.db') databaseBytes = entry.size
      if (!leaveOut(path)) {
        unpackedBytes += entry.size
        return
      }
      const hash = createHash('sha256')
      entry.on('data', (part) => void hash.update(part))
      entry.on('end', () => {
        hashes[path] = hash.digest('hex')
      })
    },
  })
  return { hashes, unpackedBytes, databaseBytes }
}
