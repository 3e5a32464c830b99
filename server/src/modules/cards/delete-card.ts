import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'

import type { User } from '../profiles/service.ts'
import { authorizeItem, touchAgain } from '../watchlists/service.ts'
import type { CardPorts } from './service.ts'
import { handOn } from './slots.ts'
import { moveSlot } from './status-store.ts'
import { deleteCardRow, findKnown } from './store.ts'
import { findWants } from './want-store.ts'

/**
 * Deletes a card with its history and comments. If it was in the box, the card of the last slot moves into the gap. If
 * another member wants its movie, that member has a card of their own in the box instead.
 * @throws {Problem} NOT_FOUND; FORBIDDEN.
 */
export async function deleteCard(
  ports: CardPorts,
  user: User,
  { watchlistId, cardId }: { watchlistId: string; cardId: string },
): Promise<void> {
  const slot = await ports.database.transaction(async (trx) => {
    const find = async (db: AnyDb) => {
      const card = { watchlistId, cardId }
      const [known, wants] = await together(findKnown(db, user, card), findWants(db, card))
      return known && { ...known, isWanted: wants.length > 0 }
    }
    const { boxCount = 0, item } = await authorizeItem(trx, user, 'card.delete', watchlistId, find)
    const { slot, isWanted } = item
    if (slot !== null && isWanted) {
      await handOn(trx, { watchlistId, cardId, slot })
      return slot
    }
    const lastSlot = boxCount - 1
    const touched = touchAgain(trx, watchlistId, slot === null ? { changesFeed: true } : { boxDelta: -1 })
    const deleted = deleteCardRow.send(trx, { watchlistId, cardId }).with(touched)
    if (slot === null || slot === lastSlot) return deleted.map(() => slot)
    return deleted.with(moveSlot.send(trx, { watchlistId, from: lastSlot, to: slot })).map(() => slot)
  })
  if (slot === null) ports.live.publish({ kind: 'card-deleted', watchlistId, cardId, by: user.username })
  else ports.live.publish({ kind: 'box-changed', watchlistId })
}
