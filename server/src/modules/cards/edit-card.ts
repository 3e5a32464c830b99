import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox } from '@marquee/contract/rules/card-moves'

import type { User } from '../profiles/service.ts'
import { authorizeItem, authorizeUpload, continueChange } from '../watchlists/service.ts'
import { type CardPorts, loadCard } from './service.ts'
import { type CardContent, type CardKey, contentColumns, findKnown, saveContent } from './store.ts'

/**
 * Changes title, description and image of a card. Without an `image` the old one stays.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the image is none.
 */
export async function editCard(
  ports: CardPorts,
  user: User,
  { watchlistId, cardId }: CardKey,
  content: CardContent & { image?: string | undefined },
): Promise<Card> {
  const card = { watchlistId, cardId }
  if (content.image !== undefined) {
    const { read } = ports.database
    await authorizeUpload(read, user, 'card.edit', watchlistId, async () => await findKnown(read, user, card))
  }
  const image = content.image === undefined ? undefined : await ports.images.keep(content.image, user.userId)
  const edited = await ports.database.transaction(async (trx) => {
    const find = async () => await findKnown(trx, user, card)
    const { item } = await authorizeItem(trx, user, 'card.edit', watchlistId, find)
    if (!isInTheBox(item.status)) await continueChange(trx, watchlistId, { changesFeed: true })
    await saveContent(trx, watchlistId, cardId, {
      ...contentColumns(content),
      ...(image && { image_url: image.url, image_hash: image.hash, copy_hash: null, copy_failed: 0 }),
      updated_at: ports.clock.now().toISOString(),
    })
    if (image?.url) await ports.posters.request(trx, { watchlistId, cardId, userId: user.userId, url: image.url })
    return await loadCard(ports, trx, watchlistId, cardId)
  })
  if (image?.url) ports.posters.wake()
  // A change of a card in the box is secret.
  if (!isInTheBox(edited.status)) {
    ports.live.publish({ kind: 'card-changed', watchlistId, cardId, by: user.username })
  }
  return edited
}
