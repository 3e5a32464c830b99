import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../profiles/service.ts'
import { beginChange } from '../watchlists/service.ts'
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
    if (freed !== null) await closeGap(trx, user, { watchlistId, slot: freed })
    return freed
  })
  if (slot === null) ports.live.publish({ kind: 'card-deleted', watchlistId, cardId, by: user.username })
  else ports.live.publish({ kind: 'box-changed', watchlistId, by: user.username })
}

/** The box is one smaller; its slots stay dense. */
async function closeGap(
  trx: AnyDb,
  user: User,
  { watchlistId, slot }: { watchlistId: string; slot: number },
): Promise<void> {
  const { boxCount: lastSlot } = await beginChange(trx, { watchlistId, user }, -1)
  if (lastSlot === undefined) throw new Error(`The box of ${watchlistId} held a card and was counted empty`)
  if (slot !== lastSlot) await moveSlot(trx, { watchlistId, from: lastSlot, to: slot })
}
