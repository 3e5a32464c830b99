import type { Member, Watchlist } from '@marquee/contract/entities/watchlist'

import type { WatchlistRow } from './store.ts'

/** A watchlist as replies show it. `imageUrl` makes the address of a stored image. */
export function presentWatchlist(row: WatchlistRow, imageUrl: (hash: string) => string): Watchlist {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    ownerId: row.owner_username,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    hasImage: row.image_hash !== null,
    fullImageUrl: row.image_hash === null ? null : imageUrl(row.image_hash),
    isPrivate: row.is_private === 1,
    members: JSON.parse(row.members) as Member[],
    ...(row.country !== null && { country: row.country }),
  }
}
