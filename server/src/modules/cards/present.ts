import type { Card, StatusChange } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'

import type { CardRow } from './store.ts'

/** A card as replies show it. `imageUrl` makes the address of a stored image. */
export function presentCard(row: CardRow, imageUrl: (hash: string) => string): Card {
  return {
    id: row.id,
    watchlistId: row.watchlist_id,
    title: row.title,
    description: row.description,
    imageUrl: row.image_hash === null ? (row.image_url ?? '') : imageUrl(row.image_hash),
    status: row.status,
    creatorId: row.creator_username,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    statusChangedAt: row.status_changed_at,
    statusChanges: JSON.parse(row.status_changes) as StatusChange[],
    lastComments: JSON.parse(row.last_comments) as Comment[],
    selectionIndex: row.selection_index,
  }
}
