import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Random } from './random.ts'
import { codeOf } from './reason-of.ts'
import { Refusal } from './refusal.ts'

const KEY_BYTES = 32

/** The current key, and earlier ones that still decrypt what they encrypted. */
export type KeySet = { current: Buffer; previous: Buffer[] }

/**
 * Reads a 32-byte secret from a file outside the database, and creates it (mode 0600) at the first start. Two processes
 * that start at once get the same key: the file appears complete, and the first to link it wins. Each line is a key in
 * base64; the first is the current one.
 * @param mayMake whether a key may be created: not once something was encrypted with one
 * @throws {Refusal} if others than the owner may read the file, a line is not a key, or it cannot be read or created.
 */
export async function readOrCreateKeys(
  path: string,
  { random, mayMake }: { random: Random; mayMake: () => Promise<boolean> },
): Promise<KeySet> {
  const kept = await findKeys(path)
  if (kept) return kept
  if (!(await mayMake())) {
    // A process that starts at the same time may have created and used it since the last look.
    const made = await findKeys(path)
    if (made) return made
    throw new Refusal(
      `There is no key file ${path}, and the database was encrypted with a master key. ` +
        'Put it there, or give it as MASTER_KEY_FILE or MASTER_KEY.',
    )
  }
  try {
    await makeKey(path, random)
  } catch (error) {
    throw unusable(path, 'made', error)
  }
  return await readKeys(path)
}

/** The keys of the file; undefined if there is no file. */
async function findKeys(path: string): Promise<KeySet | undefined> {
  try {
    return await readKeys(path)
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (codeOf(error) !== 'ENOENT') throw unusable(path, 'read', error)
    return undefined
  }
}

async function makeKey(path: string, random: Random): Promise<void> {
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
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await rm(draft)
}

/** A 32-byte key in base64, or undefined. */
export function parseKey(text: string): Buffer | undefined {
  const key = Buffer.from(text.trim(), 'base64')
  return key.length === KEY_BYTES ? key : undefined
}

async function readKeys(path: string): Promise<KeySet> {
  const { mode } = await stat(path)
  // Windows has no such modes and always reports them as open.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Refusal(`The key file ${path} may be read by others: allow only its owner (chmod 600).`)
  }
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '')
  const [current, ...previous] = lines.map((line) => {
    const key = parseKey(line)
    if (!key) throw new Refusal(`The key file ${path} does not hold a ${KEY_BYTES}-byte key in base64 on each line.`)
    return key
  })
  if (!current) throw new Refusal(`The key file ${path} is empty.`)
  return { current, previous }
}

function unusable(path: string, what: 'read' | 'made', cause: unknown): Refusal {
  return new Refusal(`The key file ${path} cannot be ${what} (${codeOf(cause) ?? String(cause)}).`, { cause })
}
