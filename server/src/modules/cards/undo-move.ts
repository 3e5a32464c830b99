import type { Card } from '@marquee/contract/entities/card'
import { UNDO_GRACE_MS, UNDO_MS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { canUndo, isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../profiles/service.ts'
import { authorizeItem } from '../watchlists/service.ts'
import { presentCard } from './present.ts'
import type { CardPorts } from './service.ts'
import { findLastChanges, revertLastChange, type StatusChangeRow } from './status-store.ts'
import type { CardKey } from './store.ts'

const NOTHING_TO_UNDO = 'There is nothing to undo'
const NOT_YOURS = 'Only the member who decided can undo it'
const TOO_LATE = 'It is too late to undo this'

/**
 * Undoes accepting or declining a card. The entry leaves the history and the card returns to its place in the feed.
 * @throws {Problem} NOT_FOUND, also if the card is in the box; FORBIDDEN for all but the member who moved it; BAD_REQUEST if
 * there is nothing to undo or it is too late.
 */
export async function undoMove(ports: CardPorts, user: User, { watchlistId, cardId }: CardKey): Promise<Card> {
  const card = { watchlistId, cardId }
  const undone = await ports.database.transaction(async (trx) => {
    const find = async (db: AnyDb) => await findLastChanges(db, card)
    const { item } = await authorizeItem(trx, user, 'card.undo', watchlistId, find, { changesFeed: true })
    const { last, before } = item
    const now = ports.clock.now()
    if (isInTheBox(last.status)) throw new Problem('NOT_FOUND')
    if (!before || !canUndo(last.status)) throw new Problem('BAD_REQUEST', NOTHING_TO_UNDO)
    if (last.changed_by !== user.username) throw new Problem('FORBIDDEN', NOT_YOURS)
    if (isTooLate(last, now)) throw new Problem('BAD_REQUEST', TOO_LATE)
    const reverted = revertLastChange(trx, card, { last, before, at: now.toISOString() })
    return reverted.map((row) => presentCard(row, ports.images.posterOf))
  })
  ports.live.publish({ kind: 'card-changed', watchlistId, cardId, by: user.username })
  return undone
}

function isTooLate({ changed_at }: StatusChangeRow, now: Date): boolean {
  return now.getTime() - Date.parse(changed_at) > UNDO_MS + UNDO_GRACE_MS
}
