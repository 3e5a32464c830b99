import type { AnyDb } from '@marquee/platform/database/database'
import { arrival, valueWith } from '@marquee/platform/database/sent'

import { changeInBackground, type WatchlistPorts } from '../../club/watchlists/service.ts'
import { endPasses } from './passes/guests.ts'
import { listForgotten, saveForgottenEnd } from './night/store.ts'
import { deleteFormer, findVote } from './vote/vote-store.ts'

const AT_ONCE = 100

/**
 * Ends the open night of a watchlist that was forgotten. From where guests joined, and who has left its vote, goes as at any
 * other end. The vote itself stays as it is: members decide about its cards.
 */
export async function endForgotten(trx: AnyDb, watchlistId: string, now: string): Promise<void> {
  const night = await saveForgottenEnd(trx, watchlistId, now)
  if (!night) return
  const key = { watchlistId, id: night.id }
  await endPasses(trx, key, night, night.current_until)
  const vote = await findVote(trx, key)
  if (vote) await arrival(valueWith(undefined, deleteFormer(trx, vote)))
}

/** Ends all nights that were forgotten. Each is a transaction of its own. */
export async function sweepForgotten(ports: Pick<WatchlistPorts, 'database' | 'clock' | 'facts'>): Promise<void> {
  const now = ports.clock.now().toISOString()
  let found: string[]
  let after = ''
  do {
    found = await listForgotten(ports.database.read, { now, after, limit: AT_ONCE })
    for (const watchlistId of found) {
      await changeInBackground(ports, watchlistId, async ({ trx, at }) => await endForgotten(trx, watchlistId, at))
      after = watchlistId
    }
  } while (found.length === AT_ONCE)
}
