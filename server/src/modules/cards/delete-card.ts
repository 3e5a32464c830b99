import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../profiles/service.ts'
import { continueChange } from '../watchlists/service.ts'
import { beginCardChange } from './changeable.ts'
import type { CardPorts } from './service.ts'
import { deleteCardRow, moveSlot } from './store.ts'

/**
 * Deletes a card with its history and comments. One in the box leaves no hole: the last slot's card fills it.
 * @throws {Problem} NOT_FOUND; FORBIDDEN.
 */
export async function deleteCard(
  ports: CardPorts,
  user: User,
  { watchlistId, cardId }: { watchlistId: string; cardId: string },
): Promise<void> {
  const slot = await ports.database.transaction(async (trx) => {
    await beginCardChange(trx, { watchlistId, cardId, user })
    const freed = await deleteCardRow(trx, watchlistId, cardId)
    if (freed === null) await continueChange(trx, watchlistId, { changesFeed: true })
    else await closeGap(trx, { watchlistId, slot: freed })
    return freed
  })
  if (slot === null) ports.live.publish({ kind: 'card-deleted', watchlistId, cardId, by: user.username })
  else ports.live.publish({ kind: 'box-changed', watchlistId })
}

/** The box is one smaller; its slots stay dense. */
async function closeGap(trx: AnyDb, { watchlistId, slot }: { watchlistId: string; slot: number }): Promise<void> {
  const lastSlot = await continueChange(trx, watchlistId, { boxDelta: -1 })
  if (slot !== lastSlot) await moveSlot(trx, { watchlistId, from: lastSlot, to: slot })
}
