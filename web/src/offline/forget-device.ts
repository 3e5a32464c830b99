import { forgetLastScreen, KEPT_DATABASE, OF_USER, OUTBOX_DATABASE } from './device-copy.ts'
import { removePictures } from './pictures.ts'

/**
 * Removes all that this device has of its user, when they leave it: every database and cache whose name begins with
 * `marquee-`, except the outbox, which several users share.
 */
export async function forgetDevice(): Promise<void> {
  forgetLastScreen()
  const [databases, cached] = await Promise.all([databaseNames(), cacheNames()])
  const isOfUser = (name: string) => name.startsWith(OF_USER)
  await Promise.all([
    ...databases.filter((name) => isOfUser(name) && name !== OUTBOX_DATABASE).map(deleteDatabase),
    removePictures(),
    ...cached.filter(isOfUser).map(async (name) => caches.delete(name)),
  ])
}

/** Removes what this device keeps to show it without a connection. */
export async function forgetKept(): Promise<void> {
  forgetLastScreen()
  await Promise.all([deleteDatabase(KEPT_DATABASE), removePictures()])
}

/** None if the browser has no databases, or does not let this page see them. */
async function databaseNames(): Promise<string[]> {
  try {
    return (await indexedDB.databases()).flatMap(({ name }) => name ?? [])
  } catch {
    return []
  }
}

/** Browsers have no caches without HTTPS. */
async function cacheNames(): Promise<string[]> {
  return 'caches' in globalThis ? caches.keys().catch(() => []) : []
}

/** Removes a database. Another tab that has it open closes it when it hears of this. */
export async function deleteDatabase(name: string): Promise<void> {
  await new Promise<void>((resolve) => {
    try {
      const request = indexedDB.deleteDatabase(name)
      request.addEventListener('success', () => resolve())
      request.addEventListener('error', () => resolve())
      request.addEventListener('blocked', () => resolve())
    } catch {
      resolve()
    }
  })
}
