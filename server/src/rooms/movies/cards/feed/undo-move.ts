import type { Card } from '@marquee/contract/entities/card'
import { UNDO_GRACE_MS, UNDO_MS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { canUndo, isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'

import type { User } from '../../../club/people/service.ts'
import { changeWatchlist } from '../../../club/watchlists/service.ts'
import { presentCard } from '../card/present.ts'
import type { MovePorts } from '../card/ports.ts'
import { findLastChanges, revertLastChange, type StatusChangeRow } from '../card/status-store.ts'
import type { CardKey } from '../card/store.ts'

const NOTHING_TO_UNDO = 'There is nothing to undo'
const NOT_YOURS = 'Only the member who decided can undo it'
const TOO_LATE = 'It is too late to undo this'

/**
 * Undoes accepting or declining a card. The entry leaves the history and the card returns to its place in the feed. A movie night
 * loses its film.
 * @throws {Problem} NOT_FOUND, also if the card is in the box; FORBIDDEN for all but the member who moved it; BAD_REQUEST if
 * there is nothing to undo or it is too late.
 */
export async function undoMove(ports: MovePorts, user: User, { watchlistId, cardId }: CardKey): Promise<Card> {
  const card = { watchlistId, cardId }
  const item = async (db: AnyDb) => {
    const [changes, night] = await together(findLastChanges(db, card), ports.nights.findNight(db, card))
    return changes && { ...changes, night }
  }
  const place = { watchlistId, item, lock: { changesFeed: true } }
  return await changeWatchlist(
    ports,
    user,
    'card.undo',
    place,
    async ({ trx, now, at, happened, settle, ...change }) => {
      const { last, before, night } = change.item
      if (isInTheBox(last.status)) throw new Problem('NOT_FOUND')
      if (!before || !canUndo(last.status)) throw new Problem('BAD_REQUEST', NOTHING_TO_UNDO)
      if (last.changed_by !== user.username) throw new Problem('FORBIDDEN', NOT_YOURS)
      if (isTooLate(last, now)) throw new Problem('BAD_REQUEST', TOO_LATE)
      const reverted = revertLastChange(trx, card, { last, before, at })
      happened('card.undecided', { cardId })
      if (night !== null) happened('viewing.changed', { cardId })
      const takenBack = night === null ? [] : [ports.nights.takeBack(trx, card)]
      return reverted
        .with(...takenBack, settle({ decisionsOn: cardId }))
        .map((row) => presentCard(row, ports.images.posterOf))
    },
  )
}

function isTooLate({ changed_at }: StatusChangeRow, now: Date): boolean {
  return now.getTime() - Date.parse(changed_at) > UNDO_MS + UNDO_GRACE_MS
}
