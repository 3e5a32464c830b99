import type { RestorableCard, RestorableExport } from '@marquee/contract/entities/export'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import { inParts } from '@marquee/platform/database/parts'
import { takeTime } from '@marquee/platform/database/statement-runner'

import { type CardPorts, type RestoredCard, restoreCards } from '../cards/service.ts'
import { insertComments } from '../comments/service.ts'
import type { User } from '../profiles/service.ts'
import { createFilled } from '../watchlists/service.ts'
import { peopleOf } from './marked-names.ts'

/**
 * Creates a watchlist from an export, in one transaction. The user is its owner and only member.
 * @throws {Problem} BAD_REQUEST if the user has too many watchlists.
 */
export async function restoreWatchlist(ports: CardPorts, user: User, file: RestorableExport): Promise<Watchlist> {
  const watchlistId = ports.random.uuid()
  const personOf = peopleOf(user, watchlistId)
  const { members, ...watchlist } = file.watchlist
  const joinedAt = members.find(({ username }) => isSameUser(username, user.username))?.joinedAt
  const restored = await createFilled(ports, user, { ...watchlist, id: watchlistId, joinedAt }, async (trx) => {
    await takeTime(trx)
    for (const part of inParts(file.cards)) {
      const cards = part.map((card) => ({ ...readCard(ports, user, personOf, card), comments: card.comments }))
      await restoreCards(trx, watchlistId, cards)
      const withoutPoster = cards.filter(({ imageUrl }) => imageUrl === null).map(({ id }) => id)
      await ports.posters.requestPictures(trx, { watchlistId, userId: user.userId }, withoutPoster)
      const comments = cards.flatMap(({ id: cardId, comments: newestFirst }) =>
        // Comments are shown in the order of their ids.
        newestFirst.toReversed().map(({ content, authorId, createdAt, updatedAt }) => {
          const { userId, username } = personOf(authorId)
          return {
            watchlist_id: watchlistId,
            card_id: cardId,
            id: ports.random.orderedId(),
            author_id: userId,
            author_username: username,
            content,
            created_at: createdAt,
            updated_at: updatedAt,
          }
        }),
      )
      await insertComments(trx, comments)
    }
  })
  ports.posters.wake()
  return restored
}

/** A card in the box becomes one of the user's own: an export has no others there, and they are secret to the rest. */
function readCard(
  { images, random }: Pick<CardPorts, 'images' | 'random'>,
  user: User,
  personOf: ReturnType<typeof peopleOf>,
  { imageUrl, creatorId, statusChanges, wantedBy = [], ...card }: RestorableCard,
): RestoredCard {
  const isInBox = isInTheBox(card.status)
  // The first is the creator.
  const [, ...others] = isInBox ? [] : wantedBy
  return {
    ...card,
    id: random.orderedId(),
    imageUrl: images.foreignAddressOf(imageUrl) ?? null,
    creator: isInBox ? user : personOf(creatorId),
    history: statusChanges.map((change) => ({ ...change, changedBy: personOf(change.changedBy).username })),
    wants: others.map((name) => ({ ...personOf(name), id: random.orderedId() })),
  }
}
