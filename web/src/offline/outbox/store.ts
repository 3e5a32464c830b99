import { deleteDatabase } from '../forget-device.ts'
import { OUTBOX_DATABASE } from '../device-copy.ts'
import { databaseOf, failureOf } from '../open-database.ts'
import { type Event, type Item, type Items, step } from './machine.ts'

const ITEMS = 'items'
const OF_USER = 'userId'

/** What a device keeps for its users until it is sent. */
export type Store = {
  read: (userId: string) => Promise<Items>
  /** Applies an event, so that tabs cannot come between. Resolves to what the items are then. */
  apply: (userId: string, event: Event) => Promise<Items>
  /** Removes all items of a user. */
  clear: (userId: string) => Promise<void>
}

const open = databaseOf(OUTBOX_DATABASE, (database) => {
  database.createObjectStore(ITEMS, { keyPath: 'id' }).createIndex(OF_USER, OF_USER)
})

/** Reads the items of a user and writes what `work` makes of them, in one transaction. */
async function transact(userId: string, mode: IDBTransactionMode, work: (items: Items) => Items): Promise<Items> {
  const database = await open()
  return new Promise((resolve, reject) => {
    // Strict: what is said to be kept survives a crash of the device.
    const transaction = database.transaction(ITEMS, mode, { durability: 'strict' })
    const items = transaction.objectStore(ITEMS)
    let after: Items = []
    const request = items.index(OF_USER).getAll(userId)
    request.addEventListener('success', () => {
      const before = (request.result as Item[]).toSorted((one, other) => one.order - other.order)
      after = work(before)
      for (const item of before) if (after.every(({ id }) => id !== item.id)) items.delete(item.id)
      for (const item of after) if (!before.includes(item)) items.put(item)
    })
    transaction.addEventListener('complete', () => resolve(after))
    transaction.addEventListener('abort', () => reject(failureOf(transaction)))
  })
}

export const store: Store = {
  read: async (userId) => transact(userId, 'readonly', (items) => items),
  apply: async (userId, event) => transact(userId, 'readwrite', (items) => step(items, event)),
  clear: async (userId) => {
    await transact(userId, 'readwrite', () => [])
  },
}

/** Removes the items of a user from this device, and with the last of all users the database. */
export async function forgetItems(userId: string): Promise<void> {
  await store.clear(userId)
  if (await isEmpty()) await deleteDatabase(OUTBOX_DATABASE)
}

async function isEmpty(): Promise<boolean> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const count = database.transaction(ITEMS).objectStore(ITEMS).count()
    count.addEventListener('success', () => resolve(count.result === 0))
    count.addEventListener('error', () => reject(failureOf(count)))
  })
}
