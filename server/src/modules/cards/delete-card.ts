import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../profiles/service.ts'
import { authorizeItem, continueChange } from '../watchlists/service.ts'
import type { CardPorts } from './service.ts'
import { deleteCardRow, findKnown, moveSlot } from './store.ts'

/**
 * Deletes a card with its history and comments. If it was in the box, the card of the last slot moves into the gap.
 * @throws {Problem} NOT_FOUND; FORBIDDEN.
 */
export async function deleteCard(
  ports: CardPorts,
  user: User,
  { watchlistId, cardId }: { watchlistId: string; cardId: string },
): Promise<void> {
  const slot = await ports.database.transaction(async (trx) => {
    const find = async () => await findKnown(trx, user, { watchlistId, cardId })
    await authorizeItem(trx, user, 'card.delete', watchlistId, find)
    const freed = await deleteCardRow(trx, watchlistId, cardId)
    if (freed === null) await continueChange(trx, watchlistId, { changesFeed: true })
    else await closeGap(trx, { watchlistId, slot: freed })
    return freed
  })
  if (slot === null) ports.live.publish({ kind: 'card-deleted', watchlistId, cardId, by: user.username })
  else ports.live.publish({ kind: 'box-changed', watchlistId })
}

async function closeGap(trx: AnyDb, { watchlistId, slot }: { watchlistId: string; slot: number }): Promise<void> {
  const lastSlot = await continueChange(trx, watchlistId, { boxDelta: -1 })
  if (slot !== lastSlot) await moveSlot(trx, { watchlistId, from: lastSlot, to: slot })
}
