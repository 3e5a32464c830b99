import type { Card, CardStatus } from '@marquee/contract/entities/card'
import type { WrittenContent } from '@marquee/contract/entities/card-content'

import type { User } from '../../../club/people/service.ts'
import { authorizeUpload, changeWatchlist } from '../../../club/watchlists/service.ts'
import type { CardPorts } from './ports.ts'
import { presentCard } from './present.ts'
import { insertStatusChange } from './status-store.ts'
import { findWritten, insertCard, newCardColumns } from './store.ts'

/**
 * Puts a card into the box, in the slot after the last, or straight into the feed.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the image is invalid.
 */
export async function addCard(
  ports: CardPorts,
  user: User,
  watchlistId: string,
  card: WrittenContent & { image: string; revealImmediately: boolean },
): Promise<Card> {
  await authorizeUpload(ports.database.read, user, 'card.add', watchlistId)
  const image = await ports.images.keep(card.image, user.userId)
  const id = ports.random.orderedId()
  const history: CardStatus[] = card.revealImmediately ? ['SUGGESTED', 'REVEALED'] : ['SUGGESTED']
  const lock = card.revealImmediately ? { changesFeed: true } : ({ boxDelta: 1 } as const)
  const added = await changeWatchlist(ports, user, 'card.add', { watchlistId, lock }, async (change) => {
    const { trx, at, boxCount, happened } = change
    const inserted = insertCard.send(trx, {
      ...newCardColumns({ watchlistId, cardId: id }, card, user, at),
      image_url: image.url,
      image_hash: image.hash,
      status: card.revealImmediately ? 'REVEALED' : 'SUGGESTED',
      status_change_count: history.length,
      selection_index: card.revealImmediately ? null : boxCount - 1,
    })
    const entry = { watchlist_id: watchlistId, card_id: id, changed_by: user.username, changed_at: at }
    const recorded = history.map((status, seq) => insertStatusChange.send(trx, { ...entry, status, seq }))
    // A card in the box is secret: other members see only the count.
    if (card.revealImmediately) happened('card.revealed', { cardId: id })
    else happened('box.changed')
    const poster = image.url !== null && { watchlistId, cardId: id, userId: user.userId, url: image.url }
    const requested = poster ? [ports.posters.request(trx, poster)] : []
    return findWritten(trx, user, { watchlistId, cardId: id })
      .with(inserted, ...recorded, ...requested)
      .map((row) => presentCard(row, ports.images.posterOf))
  })
  if (image.url !== null) ports.posters.wake()
  return added
}
