import { expect, vi } from 'vitest'

import type { Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import { WITHIN } from '@marquee/platform/testing/within'

import type { ActivityTables } from '../rooms/news/activities/store.ts'

/** Waits until no activity of the watchlist is due: what the calls so far have caused is there. */
export async function allAnnounced(database: Database<unknown>, clock: Clock, watchlistId: string): Promise<void> {
  const due = async () =>
    await database
      .withTables<ActivityTables>()
      .read.selectFrom('activity')
      .select('kind')
      .where('watchlist_id', '=', watchlistId)
      .where('due_at', '<=', clock.now().getTime())
      .execute()
  await vi.waitFor(async () => expect(await due()).toEqual([]), WITHIN)
}
