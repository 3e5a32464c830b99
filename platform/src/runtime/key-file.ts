import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Random } from './random.ts'

const KEY_BYTES = 32

/**
 * Reads a 32-byte secret kept outside the database, making it (mode 0600) at the first start. Two processes that
 * start at once end up with the same key: the file appears whole, and the first to link it wins.
 */
export async function readOrCreateKey(path: string, random: Random): Promise<Buffer> {
  try {
    return await readKey(path)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${random.uuid()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${random.bytes(KEY_BYTES).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await link(draft, path).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
  await rm(draft)
  return await readKey(path)
}

async function readKey(path: string): Promise<Buffer> {
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length !== KEY_BYTES) throw new Error(`${path} does not hold a ${KEY_BYTES}-byte key in base64`)
  return key
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
