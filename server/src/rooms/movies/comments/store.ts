import { type RawBuilder, sql } from 'kysely'

import type { Comment } from '@marquee/contract/entities/comment'
import { EMBEDDED_COMMENTS } from '@marquee/contract/limits'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { jsonArray, jsonColumns } from '@marquee/platform/database/json'
import { inParts } from '@marquee/platform/database/parts'
import { given, prepared, preparedFirst } from '@marquee/platform/database/prepared'

export type CommentRow = {
  watchlist_id: string
  card_id: string
  id: string
  author_id: string
  author_username: string
  content: string
  created_at: string
  updated_at: string
}

/** The JSON of a comment, in replies as in the cards that embed it. */
export const COMMENT_JSON = {
  commentId: 'id',
  cardId: 'card_id',
  content: 'content',
  authorId: 'author_username',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof Comment, keyof CommentRow>

export type CommentPlace = { watchlistId: string; cardId: string; commentId: string }

export type CommentTables = { comment: CommentRow }

const tables = withTables<CommentTables>

const COLUMNS = [
  'watchlist_id',
  'card_id',
  'id',
  'author_id',
  'author_username',
  'content',
  'created_at',
  'updated_at',
] as const

/** The authors of this many last comments are still part of the conversation. */
const RECENT_COMMENTS = 200

/** The last comments of each row of a statement that selects from `card`, newest first: a JSON array. */
export function lastCommentsOfCard(db: AnyDb): RawBuilder<string> {
  return jsonArray(db, jsonColumns<CommentRow>('c', COMMENT_JSON), {
    orderBy: sql`c.id desc`,
    from: sql`from (select * from comment where comment.watchlist_id = card.watchlist_id
      and comment.card_id = card.id order by comment.id desc limit ${sql.lit(EMBEDDED_COMMENTS)}) as c`,
  })
}

type PageStart = { watchlistId: string; cardId: string; after?: string | undefined }

const pageOfComments = prepared<PageStart, CommentRow, { limit: number; isFirst: boolean }>(
  (db, value, { limit, isFirst }) =>
    tables(db)
      .selectFrom('comment')
      .select(COLUMNS)
      .where('watchlist_id', '=', value('watchlistId'))
      .where('card_id', '=', value('cardId'))
      .$if(!isFirst, (query) => query.where('id', '<', sql<string>`${value('after')}`))
      .orderBy('id', 'desc')
      // Literal: SQLite plans again each time a limit is bound.
      .limit(sql.lit(limit)),
)

/** The comments of a card, newest first: the first ones, or those after `after`. */
export async function findPage(
  db: AnyDb,
  { watchlistId, cardId }: { watchlistId: string; cardId: string },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<CommentRow[]> {
  return await pageOfComments(db, { watchlistId, cardId, after }, { limit, isFirst: after === undefined })
}

export const insertComment = prepared<CommentRow, unknown>((db, value) =>
  tables(db).insertInto('comment').values(given(COLUMNS, value)),
)

export async function insertComments(db: AnyDb, comments: readonly CommentRow[]): Promise<void> {
  for (const part of inParts(comments)) await tables(db).insertInto('comment').values(part).execute()
}

export const findComment = preparedFirst<CommentPlace, CommentRow>((db, value) =>
  tables(db)
    .selectFrom('comment')
    .select(COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('id', '=', value('commentId')),
)

export const saveComment = prepared<CommentPlace & { content: string; at: string }, unknown>((db, value) =>
  tables(db)
    .updateTable('comment')
    .set({ content: value('content'), updated_at: value('at') })
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('id', '=', value('commentId')),
)

export const deleteCommentRow = prepared<CommentPlace, unknown>((db, value) =>
  tables(db)
    .deleteFrom('comment')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('id', '=', value('commentId')),
)

const recentAuthors = prepared<{ watchlistId: string; cardId: string }, Pick<CommentRow, 'author_id'>>((db, value) =>
  tables(db)
    .selectFrom('comment')
    .select('author_id')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .orderBy('id', 'desc')
    .limit(sql.lit(RECENT_COMMENTS)),
)

/** The ids of the users who wrote the last comments of a card. */
export async function listCommenters(db: AnyDb, card: { watchlistId: string; cardId: string }): Promise<Set<string>> {
  return new Set((await recentAuthors(db, card)).map((row) => row.author_id))
}

export type CommentKey = { readonly cardId: string; readonly id: string }

/** The key of the last of the next comments of a watchlist, by card; undefined if there are none. */
export async function lastKeyAfter(
  db: AnyDb,
  watchlistId: string,
  { after, limit }: { after: CommentKey; limit: number },
): Promise<CommentKey | undefined> {
  const { rows } = await sql<CommentKey>`select card_id as "cardId", id from (
    select card_id, id from comment where watchlist_id = ${watchlistId}
      and (card_id, id) > (${after.cardId}, ${after.id}) order by card_id, id limit ${sql.lit(limit)}
  ) as next_comments order by card_id desc, id desc limit 1`.execute(db)
  return rows[0]
}

/** The keys of the comments of a user in a part of a watchlist. */
export async function listOwnKeys(
  db: AnyDb,
  { watchlistId, userId }: { watchlistId: string; userId: string },
  { after, until }: { after: CommentKey; until: CommentKey },
): Promise<CommentKey[]> {
  return await tables(db)
    .selectFrom('comment')
    .select(['card_id as cardId', 'id'])
    .where('watchlist_id', '=', watchlistId)
    .where(sql<boolean>`(card_id, id) > (${after.cardId}, ${after.id})`)
    .where(sql<boolean>`(card_id, id) <= (${until.cardId}, ${until.id})`)
    .where('author_id', '=', userId)
    .execute()
}

/** Comments by their keys, oldest first. */
export async function listByKeys(db: AnyDb, watchlistId: string, keys: readonly CommentKey[]): Promise<CommentRow[]> {
  return await tables(db)
    .selectFrom('comment')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where((eb) => eb.or(keys.map(({ cardId, id }) => eb.and([eb('card_id', '=', cardId), eb('id', '=', id)]))))
    .orderBy('id')
    .execute()
}
