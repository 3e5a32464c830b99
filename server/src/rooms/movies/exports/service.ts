import type { ExportedCard, ExportFormat, WatchlistExport } from '@marquee/contract/entities/export'
import type { Watchlist } from '@marquee/contract/entities/watchlist'

import { type CardPorts, type ExportSource, exportedCards } from '../cards/service.ts'
import type { User } from '../../club/people/service.ts'
import { type Access, getWatchlist } from '../../club/watchlists/service.ts'
import { unmarked } from './marked-names.ts'
import { cardTable, letterboxdTable } from './tables.ts'

type ExportFile = {
  readonly name: string
  readonly type: string
  /** Reads the cards in pages while it is consumed, so a large watchlist is never in memory as a whole. */
  readonly text: AsyncGenerator<string>
}

/** The watchlist as a file: the cards of the feed, and the caller's own in the box. Cards of others in the box stay secret. */
export async function exportWatchlist(
  ports: CardPorts,
  user: User,
  access: Access,
  format: ExportFormat,
): Promise<ExportFile> {
  const watchlist = await getWatchlist(ports, access)
  const cards = exportedCards(ports, { watchlistId: access.watchlistId, userId: user.userId })
  if (format === 'json') {
    return { name: `${watchlist.name}.json`, type: 'application/json; charset=utf-8', text: document(watchlist, cards) }
  }
  const [name, text] =
    format === 'csv'
      ? [`${watchlist.name}.csv`, cardTable(cards)]
      : [`${watchlist.name} for Letterboxd.csv`, letterboxdTable(cards, user.username)]
  return { name, type: 'text/csv; charset=utf-8', text }
}

async function* document(
  { name, description, isPrivate, ownerId, createdAt, members, fullImageUrl, country }: Watchlist,
  cards: ExportSource,
): AsyncGenerator<string> {
  const head: Omit<WatchlistExport, 'cards'> = {
    format: 'marquee-watchlist',
    version: 1,
    watchlist: {
      name,
      description,
      isPrivate,
      ownerId,
      createdAt,
      members: members ?? [],
      ...(fullImageUrl !== null && { imageUrl: fullImageUrl }),
      ...(country !== undefined && { country }),
    },
  }
  yield `${JSON.stringify(head).slice(0, -1)},"cards":[`
  let separator = '\n'
  for await (const { card, comments } of cards) {
    yield `${separator}${JSON.stringify(withoutMarks(card)).slice(0, -1)},"comments":[`
    let commentSeparator = ''
    for await (const { commentId: _commentId, cardId: _cardId, ...comment } of comments) {
      yield commentSeparator + JSON.stringify({ ...comment, authorId: unmarked(comment.authorId) })
      commentSeparator = ','
    }
    yield ']}'
    separator = ',\n'
  }
  yield '\n]}\n'
}

/** The names as they were in the file that the card was restored from, so that a copy of a copy is the same. */
function withoutMarks<Card extends Omit<ExportedCard, 'comments'>>(card: Card): Card {
  return {
    ...card,
    creatorId: unmarked(card.creatorId),
    statusChanges: card.statusChanges.map((change) => ({ ...change, changedBy: unmarked(change.changedBy) })),
    ...(card.wantedBy && { wantedBy: card.wantedBy.map(unmarked) }),
  }
}
