import { prepared } from '@marquee/platform/database/prepared'

import { activityInsert, type ActivityRow } from '../activities/service.ts'
import { idInSlot } from '../../movies/cards/service.ts'
import { webhooksOf } from '../webhooks/service.ts'

type Values = ActivityRow & { slot: number | undefined }

/**
 * Records an activity, about the card in a slot if asked. `ifReported`: only if the watchlist has a webhook, which may report
 * it.
 */
export const recordActivity = prepared<Values, unknown, { isInSlot: boolean; ifReported: boolean }>(
  (db, value, { isInSlot, ifReported }) =>
    activityInsert(db, value, {
      cardId: isInSlot ? idInSlot(db, { watchlistId: value('watchlist_id'), slot: value('slot') ?? -1 }) : undefined,
      ifAny: ifReported ? webhooksOf(db, value('watchlist_id')) : undefined,
    }),
)
