import { type AnyDb, withTables } from '@marquee/platform/database/database'

type OwnTables = {
  card: {
    watchlist_id: string
    id: string
    title: string
    description: string | null
    image_url: string | null
    image_hash: string | null
    status: string
    creator_id: string
    created_at: string
    updated_at: string
  }
  comment: {
    watchlist_id: string
    card_id: string
    id: string
    author_id: string
    content: string
    created_at: string
    updated_at: string
  }
}

const tables = withTables<OwnTables>

/** What a person put into a watchlist and was revealed since, oldest first. */
export async function listOwnCards(db: AnyDb, watchlistId: string, userId: string): Promise<OwnTables['card'][]> {
  return await tables(db)
    .selectFrom('card')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('creator_id', '=', userId)
    .where('status', '<>', 'SUGGESTED')
    .orderBy('id')
    .execute()
}

/** What a person wrote in a watchlist. */
export async function listOwnComments(db: AnyDb, watchlistId: string, userId: string): Promise<OwnTables['comment'][]> {
  return await tables(db)
    .selectFrom('comment')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('author_id', '=', userId)
    .orderBy('id')
    .execute()
}
