import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'

import type { User } from '../../../club/people/service.ts'
import { changeWatchlist, touchAgain } from '../../../club/watchlists/service.ts'
import type { CardPorts } from './ports.ts'
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
  const card = { watchlistId, cardId }
  const item = async (db: AnyDb) => {
    const [known, wants] = await together(findKnown(db, user, card), findWants(db, card))
    return known && { ...known, isWanted: wants.length > 0 }
  }
  await changeWatchlist(ports, user, 'card.delete', { watchlistId, item }, async (change) => {
    const { trx, boxCount, happened } = change
    const { slot, isWanted } = change.item
    if (slot === null) {
      happened('card.deleted', { cardId })
      return deleteCardRow.send(trx, card)
    }
    happened('box.changed')
    if (isWanted) {
      await handOn(trx, { ...card, slot })
      return undefined
    }
    const lastSlot = boxCount - 1
    const deleted = deleteCardRow.send(trx, card).with(touchAgain(trx, watchlistId, { boxDelta: -1 }))
    return slot === lastSlot ? deleted : deleted.with(moveSlot.send(trx, { watchlistId, from: lastSlot, to: slot }))
  })
}
