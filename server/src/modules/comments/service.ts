import type { Comment, CommentsPage } from '@marquee/contract/entities/comment'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'

import { activityOf, insertActivity } from '../activities/service.ts'
import type { User } from '../profiles/service.ts'
import { authorizeItem, type WatchlistPorts } from '../watchlists/service.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { presentComment } from './present.ts'
import {
  type CommentPlace,
  type CommentRow,
  deleteCommentRow,
  findComment,
  findPage,
  insertComment,
  listOwnComments,
  saveComment,
} from './store.ts'

export { findComment, insertComments, lastCommentsOfCard, listCommenters } from './store.ts'

const EXPORT_PAGE_SIZE = 200

export type CommentPorts = Pick<WatchlistPorts, 'database' | 'clock' | 'random' | 'live'> & {
  readonly cards: {
    /** The card, if it is in the feed. */
    findInFeed: (db: AnyDb, card: { watchlistId: string; cardId: string }) => Promise<{ authorId: string } | undefined>
  }
}

/**
 * A page of the comments of a card in the feed, newest first. `nextToken` is null on the last page.
 * @throws {Problem} NOT_FOUND, also if the card is in the box; BAD_REQUEST if the token is invalid.
 */
export async function listComments(
  { cards }: Pick<CommentPorts, 'cards'>,
  db: AnyDb,
  card: { watchlistId: string; cardId: string },
  { limit, nextToken }: { limit: number; nextToken?: string | undefined },
): Promise<CommentsPage> {
  const after = nextToken === undefined ? undefined : readCursor(nextToken)
  // One more row shows whether there is another page.
  const [isThere, rows] = await together(cards.findInFeed(db, card), findPage(db, card, { after, limit: limit + 1 }))
  if (!isThere) throw new Problem('NOT_FOUND')
  const comments = rows.slice(0, limit).map(presentComment)
  const last = comments.at(-1)
  return { comments, nextToken: rows.length > limit && last ? writeCursor(last.commentId) : null }
}

/** @throws {Problem} NOT_FOUND, also if the card is in the box; FORBIDDEN. */
export async function addComment(
  ports: CommentPorts,
  user: User,
  { watchlistId, cardId, content }: { watchlistId: string; cardId: string; content: string },
): Promise<Comment> {
  const work = async (trx: AnyDb) => {
    const find = async (db: AnyDb) => await ports.cards.findInFeed(db, { watchlistId, cardId })
    await authorizeItem(trx, user, 'comment.add', watchlistId, find, { changesFeed: true })
    const at = ports.clock.now().toISOString()
    const comment = {
      watchlist_id: watchlistId,
      card_id: cardId,
      // Made behind the lock, so that comments sort in the order in which they are committed.
      id: ports.random.orderedId(),
      author_id: user.userId,
      author_username: user.username,
      content,
      created_at: at,
      updated_at: at,
    }
    const by = user.username
    const activity = activityOf(ports, { kind: 'commented', watchlistId, cardId, commentId: comment.id, by, at })
    return insertComment
      .send(trx, comment)
      .with(insertActivity.send(trx, activity))
      .map(() => presentComment(comment))
  }
  const added = await ports.database.transaction(work, { locks: watchlistId })
  publish(ports, user, { watchlistId, cardId })
  return added
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN to everyone but the author. */
export async function editComment(
  ports: CommentPorts,
  user: User,
  { content, ...place }: CommentPlace & { content: string },
): Promise<Comment> {
  const edited = await ports.database.transaction(async (trx) => {
    const comment = await authorizeOwn(ports, trx, user, 'comment.edit', place)
    const at = editTime(comment, ports.clock.now())
    return saveComment
      .send(trx, { ...place, content, at })
      .map(() => presentComment({ ...comment, content, updated_at: at }))
  })
  publish(ports, user, place)
  return edited
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN to everyone but the author. */
export async function deleteComment(ports: CommentPorts, user: User, place: CommentPlace): Promise<void> {
  await ports.database.transaction(async (trx) => {
    await authorizeOwn(ports, trx, user, 'comment.delete', place)
    return deleteCommentRow.send(trx, place)
  })
  publish(ports, user, place)
}

/** Comments are part of the pages of the feed, so each change of a comment changes the feed. */
async function authorizeOwn(
  ports: CommentPorts,
  trx: AnyDb,
  user: User,
  verb: 'comment.edit' | 'comment.delete',
  place: CommentPlace,
): Promise<CommentRow> {
  const find = async (db: AnyDb) => {
    const [card, comment] = await together(ports.cards.findInFeed(db, place), findComment(db, place))
    return card && comment && { ...comment, authorId: comment.author_id }
  }
  const { item } = await authorizeItem(trx, user, verb, place.watchlistId, find, { changesFeed: true })
  return item
}

/** Later than `createdAt` even if the clock was set back, because that marks a comment as edited. */
function editTime({ created_at: createdAt }: CommentRow, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(createdAt) + 1)).toISOString()
}

function publish({ live }: CommentPorts, user: User, { watchlistId, cardId }: Omit<CommentPlace, 'commentId'>): void {
  live.publish({ kind: 'comments-changed', watchlistId, cardId, by: user.username })
}

/** All comments of a card, newest first, without a check of access. They are read in pages. */
export async function* eachComment(db: AnyDb, watchlistId: string, cardId: string): AsyncGenerator<Comment> {
  let after: string | undefined
  for (;;) {
    const rows = await findPage(db, { watchlistId, cardId }, { after, limit: EXPORT_PAGE_SIZE })
    yield* rows.map(presentComment)
    after = rows.at(-1)?.id
    if (after === undefined || rows.length < EXPORT_PAGE_SIZE) return
  }
}

/** The comments of a user in a watchlist, for the export of their data. */
export async function exportComments(
  { database }: Pick<CommentPorts, 'database'>,
  watchlistId: string,
  { userId }: User,
): Promise<Omit<Comment, 'authorId'>[]> {
  const rows = await listOwnComments(database.read, watchlistId, userId)
  return rows.map((row) => {
    const { authorId: _authorId, ...comment } = presentComment(row)
    return comment
  })
}
