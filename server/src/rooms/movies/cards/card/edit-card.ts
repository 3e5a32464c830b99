import { givenFields, type WrittenContent } from '@marquee/contract/entities/card-content'
import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'

import type { User } from '../../../club/people/service.ts'
import { authorizeUpload, changeWatchlist } from '../../../club/watchlists/service.ts'
import { compareMovies, isAlike, type Titled } from '../../same-movie/service.ts'
import { presentCard } from './present.ts'
import type { CardPorts } from './ports.ts'
import { splitOff } from './slots.ts'
import { type CardKey, contentColumns, findKnown, findKnownCard, saveContent, theCard, withMovie } from './store.ts'
import { findWants, type WantRow } from './want-store.ts'

/**
 * Changes a card. What is absent stays; a null `movie` removes it. If a card in the box becomes another
 * movie, those who wanted the old one get a card of their own.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the image is invalid.
 */
export async function editCard(
  ports: CardPorts,
  user: User,
  { watchlistId, cardId }: CardKey,
  content: WrittenContent & { image?: string | undefined },
): Promise<Card> {
  const card = { watchlistId, cardId }
  const item = async (db: AnyDb) => {
    const [known, wants] = await together(findKnown(db, user, card), findWants(db, card))
    return known && { ...known, wants }
  }
  if (content.image !== undefined) await authorizeUpload(ports.database.read, user, 'card.edit', watchlistId, item)
  const image = content.image === undefined ? undefined : await ports.images.keep(content.image, user.userId)
  const edited = await changeWatchlist(ports, user, 'card.edit', { watchlistId, item }, async (change) => {
    const { trx, at, happened } = change
    const { status, wants } = change.item
    const lost = isInTheBox(status) ? await findLost(trx, user, card, wants, content) : undefined
    if (lost) {
      await splitOff(trx, card, lost)
      happened('box.changed')
    }
    // A change of a card in the box is secret.
    if (!isInTheBox(status)) happened('card.edited', { cardId })
    const saved = saveContent.send(
      trx,
      {
        ...card,
        ...contentColumns(content),
        at,
        image_url: image?.url ?? null,
        image_hash: image?.hash ?? null,
      },
      { fields: givenFields(content), hasImage: image !== undefined },
    )
    const poster = image?.url ? [ports.posters.request(trx, { ...card, userId: user.userId, url: image.url })] : []
    return theCard(saved.with(...poster)).map((row) => presentCard(row, ports.images.posterOf))
  })
  if (image?.url) ports.posters.wake()
  return edited
}

/**
 * Those of the wants that are for another movie than the card will be, and whether the card was that one, too. Undefined if there
 * are none.
 */
async function findLost(
  trx: AnyDb,
  user: User,
  card: CardKey,
  wants: readonly WantRow[],
  { title, movie }: WrittenContent,
): Promise<{ wants: WantRow[]; isOther: boolean } | undefined> {
  if (wants.length === 0) return undefined
  const before = withMovie((await findKnownCard(trx, user, card)) ?? { title, movie: null })
  const now = { title, movie: movie === undefined ? before.movie : movie }
  const isLost = (was: Titled) => !isAlike(compareMovies(now, was))
  const lost = wants.filter((want) => isLost(withMovie(want)))
  return lost.length > 0 ? { wants: lost, isOther: isLost(before) } : undefined
}
