import { KEPT_DATABASE } from './device-copy.ts'
import { databaseOf, failureOf } from './open-database.ts'

/** What is known of a kept reply without reading it. `watchlistId` is undefined for what belongs to none. */
export type KeptNote = { hash: string; kind: string; watchlistId: string | undefined; at: number; bytes: number }

/** A reply of the server, and when it arrived. */
export type Kept = KeptNote & { data: unknown }

const NOTES = 'notes'
const REPLIES = 'replies'
const OWNER = 'owner'

/** With the pictures (public/service-worker.js) less than 50 MB. In characters of JSON, most of which take a byte. */
const MOST_BYTES = 8_000_000

const open = databaseOf(KEPT_DATABASE, (database) => {
  database.createObjectStore(NOTES, { keyPath: 'hash' })
  database.createObjectStore(REPLIES)
  database.createObjectStore(OWNER)
})

async function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(failureOf(request)))
  })
}

async function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(failureOf(transaction)))
  })
}

/** Whose replies are kept, undefined before the first. */
export async function readOwner(): Promise<unknown> {
  return answerOf((await open()).transaction(OWNER).objectStore(OWNER).get(OWNER))
}

export async function readKept(userId: string, hash: string): Promise<Kept | undefined> {
  const transaction = (await open()).transaction([NOTES, REPLIES, OWNER])
  const [owner, note, data] = await Promise.all([
    answerOf<unknown>(transaction.objectStore(OWNER).get(OWNER)),
    answerOf(transaction.objectStore(NOTES).get(hash) as IDBRequest<KeptNote | undefined>),
    answerOf<unknown>(transaction.objectStore(REPLIES).get(hash)),
  ])
  return owner === userId && note !== undefined ? { ...note, data } : undefined
}

export async function readNotes(): Promise<KeptNote[]> {
  return answerOf((await open()).transaction(NOTES).objectStore(NOTES).getAll() as IDBRequest<KeptNote[]>)
}

/**
 * Keeps replies of a user, unless `mayWrite` has become false. The oldest go when there are too many, or when the disk is
 * full; what then does not fit is not kept.
 */
export async function writeKept(userId: string, replies: readonly Kept[], mayWrite: () => boolean): Promise<void> {
  try {
    await put(userId, replies, mayWrite)
    await removeOldest(MOST_BYTES)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error
    await removeOldest(MOST_BYTES / 4)
  }
}

async function put(userId: string, replies: readonly Kept[], mayWrite: () => boolean): Promise<void> {
  const database = await open()
  if (!mayWrite()) return
  const transaction = database.transaction([NOTES, REPLIES, OWNER], 'readwrite')
  const settled = done(transaction)
  transaction.objectStore(OWNER).put(userId, OWNER)
  for (const { data, ...note } of replies) {
    transaction.objectStore(NOTES).put(note)
    transaction.objectStore(REPLIES).put(data, note.hash)
  }
  await settled
}

async function removeOldest(mostBytes: number): Promise<void> {
  const newestFirst = (await readNotes()).toSorted((one, other) => other.at - one.at)
  let bytes = 0
  const tooMany = newestFirst.filter((note) => (bytes += note.bytes) > mostBytes)
  await removeKept(tooMany.map(({ hash }) => hash))
}

export async function removeKept(hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  const transaction = (await open()).transaction([NOTES, REPLIES], 'readwrite')
  const settled = done(transaction)
  for (const hash of hashes) {
    transaction.objectStore(NOTES).delete(hash)
    transaction.objectStore(REPLIES).delete(hash)
  }
  await settled
}
