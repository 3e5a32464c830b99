import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  /** A folder on a file system of its own. */
  readonly path: string
  /** Uses up all space that is left. */
  fill: () => Promise<void>
  /** Frees that space. */
  free: () => Promise<void>
  remove: () => Promise<void>
}

/** A disk of the given size in megabytes, in memory. Undefined if this user may not mount one. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'marquee-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    await rm(path, { recursive: true })
    return undefined
  }
  const filler = join(path, 'filler')
  return {
    path,
    fill: async () => {
      // Other writers use space meanwhile, so this repeats until none is left.
      for (let n = 0; ; n += 1) {
        const { bavail, bsize } = await statfs(path)
        if (bavail === 0 && n > 0) return
        await writeFile(filler, Buffer.alloc(Math.max(bavail, 1) * bsize), { flag: 'a' }).catch(ignoreFull)
      }
    },
    free: async () => {
      await rm(filler)
    },
    remove: async () => {
      execFileSync('umount', [path])
      await rm(path, { recursive: true })
    },
  }
}

function ignoreFull(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
}
