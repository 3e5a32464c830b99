import type { Card, CardsPage, StatusChange } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'
import { ReadyJson } from '@marquee/platform/http/ready-json'

import type { ImageAddresses } from '../images/service.ts'
import type { CardRow } from './store.ts'

type PosterOf = ImageAddresses['posterOf']

/** What of a card the database does not give as JSON. */
function presentOwn(row: CardRow, posterOf: PosterOf): Omit<Card, 'statusChanges' | 'lastComments'> {
  return {
    id: row.id,
    watchlistId: row.watchlist_id,
    title: row.title,
    description: row.description,
    ...posterOf(row),
    status: row.status,
    creatorId: row.creator_username,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    statusChangedAt: row.status_changed_at,
    selectionIndex: row.selection_index,
  }
}

/** A card as replies show it. */
export function presentCard(row: CardRow, posterOf: PosterOf): Card {
  return {
    ...presentOwn(row, posterOf),
    statusChanges: JSON.parse(row.status_changes) as StatusChange[],
    lastComments: JSON.parse(row.last_comments) as Comment[],
  }
}

/** A page of cards, each as `presentCard` shows it. Histories and comments go into the text as they come: a page has many. */
export function presentPage(
  rows: readonly CardRow[],
  nextToken: string | null,
  posterOf: PosterOf,
): ReadyJson<CardsPage> {
  const cards = rows.map((row) => {
    const own = JSON.stringify(presentOwn(row, posterOf))
    return `${own.slice(0, -1)},"statusChanges":${row.status_changes},"lastComments":${row.last_comments}}`
  })
  return new ReadyJson(`{"cards":[${cards.join(',')}],"nextToken":${JSON.stringify(nextToken)}}`)
}
