import { Problem } from '@marquee/contract/problems'

import type { DrawNights } from '../../../draws/service.ts'
import { attendance } from './attendance.ts'
import { requireNight, requireState } from '../night/change.ts'
import { nightKeyOf, presentNight } from '../night/present.ts'
import { listCurrent } from '../night/store.ts'

const ONLY_THOSE_HERE = 'unseenBy: Only people who are at the open movie night can be named'

/** What draws need of nights. */
export const drawNights: DrawNights = {
  requireOpen: async (trx, watchlistId, { nightId, now }) => {
    const key = nightKeyOf(nightId)
    if (key.watchlistId !== watchlistId) throw new Problem('NOT_FOUND')
    requireState(await requireNight(trx, key), 'open', now.toISOString())
  },
  requirePresent: async (db, watchlistId, { usernames, now }) => {
    const at = now.toISOString()
    const [open] = await listCurrent(db, watchlistId, at, ['open'])
    const present = new Set((open ? presentNight(open, at).present : []).map(({ username }) => username))
    if (!usernames.every((username) => present.has(username))) throw new Problem('BAD_REQUEST', ONLY_THOSE_HERE)
  },
  listPresent: async (db, watchlistId, now) =>
    (await attendance.findOpen(db, watchlistId, now.toISOString()))?.members ?? [],
}
