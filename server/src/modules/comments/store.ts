import { sql } from 'kysely'

import type { CardStatus } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { jsonArray } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'

export type CommentTables = {
  comment: {
    watchlist_id: string
    card_id: string
    id: string
    author_id: string
    author_username: string
    content: string
    created_at: string
    updated_at: string
  }
  card: { watchlist_id: string; id: string; status: CardStatus }
}

export type CommentPlace = { watchlistId: string; cardId: string; commentId: string }

const tables = withTables<CommentTables>

type PlaceInTalk = { watchlistId: string; cardId: string; after?: string | undefined }

const pageOfComments = prepared<
  PlaceInTalk,
  { status: CardStatus; comments: string },
  { limit: number; isFirst: boolean }
>((db, value, { limit, isFirst }) => {
  const older = isFirst ? sql`` : sql`and comment.id < ${value('after')}`
  const comments = jsonArray(
    db,
    {
      commentId: sql`c.id`,
      cardId: sql`c.card_id`,
      content: sql`c.content`,
      authorId: sql`c.author_username`,
      createdAt: sql`c.created_at`,
      updatedAt: sql`c.updated_at`,
    },
    {
      orderBy: sql`c.id desc`,
      // The limit is written out: SQLite makes its plan anew each time one is bound.
      from: sql`from (select * from comment where comment.watchlist_id = card.watchlist_id
        and comment.card_id = card.id ${older} order by comment.id desc limit ${sql.lit(limit)}) as c`,
    },
  )
  return tables(db)
    .selectFrom('card')
    .select(['card.status', comments.as('comments')])
    .where('card.watchlist_id', '=', value('watchlistId'))
    .where('card.id', '=', value('cardId'))
})

/**
 * The comments of a card, newest first, those right after `after` if given, and the card's status; undefined if there is
 * no such card. One statement.
 */
export async function findPage(
  db: AnyDb,
  { watchlistId, cardId }: { watchlistId: string; cardId: string },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ status: CardStatus; comments: Comment[] } | undefined> {
  const [row] = await pageOfComments(db, { watchlistId, cardId, after }, { limit, isFirst: after === undefined })
  return row && { status: row.status, comments: JSON.parse(row.comments) as Comment[] }
}

const newComment = prepared<CommentTables['comment'], unknown>((db, value) =>
  tables(db)
    .insertInto('comment')
    .values({
      watchlist_id: value('watchlist_id'),
      card_id: value('card_id'),
      id: value('id'),
      author_id: value('author_id'),
      author_username: value('author_username'),
      content: value('content'),
      created_at: value('created_at'),
      updated_at: value('updated_at'),
    }),
)

export async function insertComment(db: AnyDb, comment: CommentTables['comment']): Promise<void> {
  await newComment(db, comment)
}

export async function findComment(db: AnyDb, place: CommentPlace): Promise<CommentTables['comment'] | undefined> {
  return await tables(db)
    .selectFrom('comment')
    .selectAll()
    .where('watchlist_id', '=', place.watchlistId)
    .where('card_id', '=', place.cardId)
    .where('id', '=', place.commentId)
    .executeTakeFirst()
}

export async function saveComment(
  db: AnyDb,
  place: CommentPlace,
  change: Pick<CommentTables['comment'], 'content' | 'updated_at'>,
): Promise<void> {
  await tables(db)
    .updateTable('comment')
    .set(change)
    .where('watchlist_id', '=', place.watchlistId)
    .where('card_id', '=', place.cardId)
    .where('id', '=', place.commentId)
    .execute()
}

export async function deleteCommentRow(db: AnyDb, place: CommentPlace): Promise<void> {
  await tables(db)
    .deleteFrom('comment')
    .where('watchlist_id', '=', place.watchlistId)
    .where('card_id', '=', place.cardId)
    .where('id', '=', place.commentId)
    .execute()
}
