import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox } from '@marquee/contract/rules/card-moves'

import type { User } from '../profiles/service.ts'
import { type Access, continueChange } from '../watchlists/service.ts'
import { beginCardChange, getChangeable } from './changeable.ts'
import { type CardPorts, loadCard } from './service.ts'
import { saveContent } from './store.ts'

/**
 * Changes what stands on a card; where it is in the feed or the box it stays. Without an `image` the old one stays.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the image is none.
 */
export async function editCard(
  ports: CardPorts,
  user: User,
  { watchlistId }: Access,
  {
    cardId,
    content,
  }: { cardId: string; content: { title: string; description: string | null; image?: string | undefined } },
): Promise<Card> {
  const wish = { watchlistId, cardId, user }
  // An upload by someone who may not is refused before it is decoded.
  await getChangeable(ports.database.read, wish)
  const image = content.image === undefined ? undefined : await ports.images.keep(content.image, user.userId)
  const edited = await ports.database.transaction(async (trx) => {
    const { isInTheBox } = await beginCardChange(trx, wish)
    if (!isInTheBox) await continueChange(trx, watchlistId, { changesFeed: true })
    await saveContent(trx, watchlistId, cardId, {
      title: content.title,
      description: content.description,
      ...(image && { image_url: image.url, image_hash: image.hash, copy_hash: null, copy_failed: 0 }),
      updated_at: ports.clock.now().toISOString(),
    })
    if (image?.url) await ports.posters.request(trx, { watchlistId, cardId, userId: user.userId, url: image.url })
    return await loadCard(ports, trx, watchlistId, cardId)
  })
  if (image?.url) ports.posters.wake()
  // Nobody sees a card in the box, so nobody is told that it changed.
  if (!isInTheBox(edited.status)) {
    ports.live.publish({ kind: 'card-changed', watchlistId, cardId, by: user.username })
  }
  return edited
}
