import type { Card } from '@marquee/contract/entities/card'
import { Problem } from '@marquee/contract/problems'
import { canMove, isInTheBox, type MoveTarget } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'

import type { User } from '../../../club/people/service.ts'
import { changeWatchlist } from '../../../club/watchlists/service.ts'
import type { MovePorts } from '../card/ports.ts'
import { presentCard } from '../card/present.ts'
import { changeStatus } from '../card/status-store.ts'
import { type CardKey, findInFeed } from '../card/store.ts'

const MEMBER_WAS_FASTER = 'Another member was faster: this card is not revealed any more'

/**
 * Moves a revealed card: back into the last slot of the box, declined or accepted. If a movie night is open, an accepted card
 * becomes its film, which those who are there have seen. One that was accepted at another night, `nightId`, does not, nor does one
 * that was accepted while no night was open: then it is null.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if another member moved it first.
 */
export async function moveCard(
  ports: MovePorts,
  user: User,
  { watchlistId, cardId, to, nightId }: CardKey & { to: MoveTarget; nightId?: string | null | undefined },
): Promise<Card> {
  const card = { watchlistId, cardId }
  const item = async (db: AnyDb) => {
    const now = ports.clock.now().toISOString()
    const hasNight = to === 'WATCHED' && nightId !== null
    const openNight = hasNight ? ports.nights.findOpen(db, watchlistId, now, nightId) : Promise.resolve(undefined)
    const [found, night] = await together(findInFeed(db, card), openNight)
    return found && { ...found, night }
  }
  const place = { watchlistId, item, lock: { boxDelta: isInTheBox(to) ? 1 : 0, changesFeed: true } as const }
  return await changeWatchlist(ports, user, 'card.move', place, async ({ trx, at, boxCount, happened, ...change }) => {
    const { status: from, changeCount, night } = change.item
    if (!canMove(from, to)) throw new Problem('BAD_REQUEST', MEMBER_WAS_FASTER)
    const slot = isInTheBox(to) ? boxCount - 1 : null
    const recorded = night ? ports.nights.record(trx, card, night, at) : []
    const moved = changeStatus(trx, { ...card, from, status: to, changeCount, slot, by: user.username, at })
    if (to === 'SUGGESTED') {
      happened('card.put-back', { cardId })
      happened('box.changed')
    } else {
      happened('card.decided', { cardId, to })
    }
    if (night) happened('viewing.changed', { cardId })
    return moved.with(...recorded).map((row) => presentCard(row, ports.images.posterOf))
  })
}
