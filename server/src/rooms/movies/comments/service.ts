import type { Comment, CommentsPage } from '@marquee/contract/entities/comment'
import { Problem } from '@marquee/contract/problems'
import { pageOf } from '@marquee/contract/rules/page'
import type { AnyDb } from '@marquee/platform/database/database'
import { inParts } from '@marquee/platform/database/parts'
import { together } from '@marquee/platform/database/statement-runner'
import { nextTurn } from '@marquee/platform/runtime/turns'

import type { User } from '../../club/people/service.ts'
import { changeWatchlist, type WatchlistPorts } from '../../club/watchlists/service.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { presentComment } from './present.ts'
import {
  type CommentKey,
  type CommentPlace,
  type CommentRow,
  deleteCommentRow,
  findComment,
  findPage,
  insertComment,
  lastKeyAfter,
  listByKeys,
  listOwnKeys,
  saveComment,
} from './store.ts'

export { findComment, insertComments, lastCommentsOfCard, listCommenters } from './store.ts'

const EXPORT_PAGE_SIZE = 100
/** Keys are small. */
const KEYS_AT_ONCE = 500
/** Comments are part of the pages of the feed, so each change of a comment changes the feed. */
const CHANGES_FEED = { changesFeed: true }

export type CommentPorts = Pick<WatchlistPorts, 'database' | 'clock' | 'random' | 'facts'> & {
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
  const after = readCursor(nextToken)
  // One more row shows whether there is another page.
  const [isThere, rows] = await together(cards.findInFeed(db, card), findPage(db, card, { after, limit: limit + 1 }))
  if (!isThere) throw new Problem('NOT_FOUND')
  const { shown, nextToken: next } = pageOf(rows.map(presentComment), limit, (last) => writeCursor(last.commentId))
  return { comments: shown, nextToken: next }
}

/** @throws {Problem} NOT_FOUND, also if the card is in the box; FORBIDDEN. */
export async function addComment(
  ports: CommentPorts,
  user: User,
  { watchlistId, cardId, content }: { watchlistId: string; cardId: string; content: string },
): Promise<Comment> {
  const item = async (db: AnyDb) => await ports.cards.findInFeed(db, { watchlistId, cardId })
  const place = { watchlistId, item, lock: CHANGES_FEED, isShared: true }
  return await changeWatchlist(ports, user, 'comment.add', place, async ({ trx, at, happened }) => {
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
    happened('comment.added', { cardId, commentId: comment.id })
    return insertComment.send(trx, comment).map(() => presentComment(comment))
  })
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN to everyone but the author. */
export async function editComment(
  ports: CommentPorts,
  user: User,
  { content, ...place }: CommentPlace & { content: string },
): Promise<Comment> {
  const own = ownComment(ports, place)
  return await changeWatchlist(ports, user, 'comment.edit', own, async ({ trx, item, now, happened }) => {
    const at = editTime(item, now)
    happened('comment.edited', { cardId: place.cardId })
    return saveComment
      .send(trx, { ...place, content, at })
      .map(() => presentComment({ ...item, content, updated_at: at }))
  })
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN to everyone but the author. */
export async function deleteComment(ports: CommentPorts, user: User, place: CommentPlace): Promise<void> {
  const own = ownComment(ports, place)
  await changeWatchlist(ports, user, 'comment.delete', own, async ({ trx, happened }) => {
    happened('comment.deleted', { cardId: place.cardId })
    return deleteCommentRow.send(trx, place)
  })
}

function ownComment({ cards }: CommentPorts, place: CommentPlace) {
  const item = async (db: AnyDb) => {
    const [card, comment] = await together(cards.findInFeed(db, place), findComment(db, place))
    return card && comment && { ...comment, authorId: comment.author_id }
  }
  return { watchlistId: place.watchlistId, item, lock: CHANGES_FEED }
}

/** Later than `createdAt` even if the clock was set back, because that marks a comment as edited. */
function editTime({ created_at: createdAt }: CommentRow, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(createdAt) + 1)).toISOString()
}

/** All comments of a card, newest first, without a check of access. They are read in pages. */
export async function* eachComment(db: AnyDb, watchlistId: string, cardId: string): AsyncGenerator<Comment> {
  let after: string | undefined
  for (;;) {
    await nextTurn()
    const rows = await findPage(db, { watchlistId, cardId }, { after, limit: EXPORT_PAGE_SIZE })
    yield* rows.map(presentComment)
    after = rows.at(-1)?.id
    if (after === undefined || rows.length < EXPORT_PAGE_SIZE) return
  }
}

/** The comments of a user in a watchlist, oldest first, for the export of their data. Until then only their keys are kept. */
export async function* exportComments(
  { database: { read } }: Pick<CommentPorts, 'database'>,
  watchlistId: string,
  { userId }: User,
): AsyncGenerator<Omit<Comment, 'authorId'>> {
  const keys: CommentKey[] = []
  let after: CommentKey = { cardId: '', id: '' }
  for (;;) {
    await nextTurn()
    const until = await lastKeyAfter(read, watchlistId, { after, limit: KEYS_AT_ONCE })
    if (until === undefined) break
    for (const key of await listOwnKeys(read, { watchlistId, userId }, { after, until })) keys.push(key)
    after = until
  }
  keys.sort((one, other) => (one.id < other.id ? -1 : 1))
  for (const part of inParts(keys, EXPORT_PAGE_SIZE)) {
    await nextTurn()
    for (const row of await listByKeys(read, watchlistId, part)) {
      const { authorId: _authorId, ...comment } = presentComment(row)
      yield comment
    }
  }
}
