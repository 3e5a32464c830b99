import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../profiles/service.ts'
import { authorizeItem, authorizeUpload, touchAgain } from '../watchlists/service.ts'
import { presentCard } from './present.ts'
import type { CardPorts } from './service.ts'
import { type CardContent, type CardKey, contentColumns, findKnown, saveContent, theCard } from './store.ts'

/**
 * Changes a card. Without an `image` or a `movie` the old one stays; a null `movie` removes it.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the image is invalid.
 */
export async function editCard(
  ports: CardPorts,
  user: User,
  { watchlistId, cardId }: CardKey,
  content: CardContent & { image?: string | undefined },
): Promise<Card> {
  const card = { watchlistId, cardId }
  const find = async (db: AnyDb) => await findKnown(db, user, card)
  if (content.image !== undefined) await authorizeUpload(ports.database.read, user, 'card.edit', watchlistId, find)
  const image = content.image === undefined ? undefined : await ports.images.keep(content.image, user.userId)
  const edited = await ports.database.transaction(async (trx) => {
    const { item } = await authorizeItem(trx, user, 'card.edit', watchlistId, find)
    const at = ports.clock.now().toISOString()
    const touched = isInTheBox(item.status) ? [] : [touchAgain(trx, watchlistId, { changesFeed: true })]
    const change = { ...card, ...contentColumns(content), at, image_url: null, image_hash: null }
    const images = image && { image_url: image.url, image_hash: image.hash }
    const saved = saveContent.send(
      trx,
      { ...change, ...images },
      { hasImage: image !== undefined, hasMovie: content.movie !== undefined },
    )
    const poster = image?.url ? [ports.posters.request(trx, { ...card, userId: user.userId, url: image.url })] : []
    return theCard(saved.with(...touched, ...poster)).map((row) => presentCard(row, ports.images.posterOf))
  })
  if (image?.url) ports.posters.wake()
  // A change of a card in the box is secret.
  if (!isInTheBox(edited.status)) {
    ports.live.publish({ kind: 'card-changed', watchlistId, cardId, by: user.username })
  }
  return edited
}
