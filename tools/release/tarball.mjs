import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

import { create } from 'tar'

/**
 * Packs a folder so that the same files always give the same bytes: in the order of their names, with one time, without owners,
 * and with the same rights. Only `program` may be executed.
 * @param {string} folder
 * @param {{ file: string, prefix: string, program: string, time: Date }} options
 */
export async function pack(folder, { file, prefix, program, time }) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => relative('.', name).replaceAll(sep, '/'))
    .toSorted()
  for (const name of names) chmodSync(join(folder, name), name === program ? 0o755 : 0o644)
  await create({ file, cwd: folder, prefix, portable: true, mtime: time, gzip: { level: 9 } }, names)
}
