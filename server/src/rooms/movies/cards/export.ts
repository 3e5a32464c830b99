import type { DataExport } from '@marquee/contract/entities/account'
import { contentOf } from '@marquee/contract/entities/card-content'
import type { Comment } from '@marquee/contract/entities/comment'
import type { ExportedCard } from '@marquee/contract/entities/export'
import { EMBEDDED_COMMENTS } from '@marquee/contract/limits'

import { eachComment } from '../comments/service.ts'
import type { ImageAddresses } from '../images/service.ts'
import type { User } from '../../club/people/service.ts'
import type { WatchlistPorts } from '../../club/watchlists/service.ts'
import { keyRanges } from './card/key-ranges.ts'
import { presentCard, presentContent } from './card/present.ts'
import { listKnownCards, listOwnCards } from './card/store.ts'

/** Cards with all their comments, newest first. Comments that are not embedded are read when they are asked for. */
export type ExportSource = AsyncIterable<{
  card: Omit<ExportedCard, 'comments'>
  comments: Iterable<Comment> | AsyncIterable<Comment>
}>

/**
 * The cards of the feed and the user's own in the box, in the order they were added. They are read in pages, so a card is
 * exported as it is when its page is read.
 */
export async function* exportedCards(
  { database, images }: Pick<WatchlistPorts, 'database'> & { images: ImageAddresses },
  { watchlistId, userId }: { watchlistId: string } & Pick<User, 'userId'>,
): ExportSource {
  const db = database.read
  for await (const range of keyRanges(db, watchlistId)) {
    for (const row of await listKnownCards(db, { watchlistId, creatorId: userId }, range)) {
      const presented = presentCard(row, images.posterOf)
      const { status, creatorId, createdAt, updatedAt, statusChanges, lastComments, wantedBy } = presented
      const imageUrl = row.image_url ?? images.posterOf(row).imageUrl
      yield {
        card: {
          ...contentOf(presented),
          imageUrl,
          status,
          creatorId,
          createdAt,
          updatedAt,
          statusChanges,
          ...(wantedBy && { wantedBy }),
        },
        comments: lastComments.length < EMBEDDED_COMMENTS ? lastComments : eachComment(db, watchlistId, row.id),
      }
    }
  }
}

/** The cards that a user added to a watchlist and that are not in the box, for the export of their data. */
export async function* exportCards(
  { database, images }: Pick<WatchlistPorts, 'database'> & { images: ImageAddresses },
  watchlistId: string,
  { userId }: User,
): AsyncGenerator<DataExport['watchlists'][number]['cards'][number]> {
  for await (const range of keyRanges(database.read, watchlistId)) {
    const rows = await listOwnCards(database.read, { watchlistId, creatorId: userId }, range)
    yield* rows.map((row) => ({
      cardId: row.id,
      ...presentContent(row),
      imageUrl: row.image_url ?? images.posterOf(row).imageUrl,
      status: row.status,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }))
  }
}
