import type { Comment, CommentsPage } from '@marquee/contract/entities/comment'
import { Problem } from '@marquee/contract/problems'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'
import { finishWithCommit } from '@marquee/platform/database/statement-runner'

import { isInFeed } from '../cards/service.ts'
import type { User } from '../profiles/service.ts'
import { type Access, beginChange, type WatchlistPorts } from '../watchlists/service.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { mayChange } from './policy.ts'
import { presentComment } from './present.ts'
import {
  type CommentPlace,
  type CommentTables,
  deleteCommentRow,
  findComment,
  findPage,
  insertComment,
  saveComment,
} from './store.ts'

export type CommentPorts = Pick<WatchlistPorts, 'database' | 'clock' | 'random' | 'live'>

type Wish = { watchlistId: string; cardId: string; user: User }

/**
 * A page of the comments of a card in the feed, newest first. `nextToken` is null on the last.
 * @throws {Problem} NOT_FOUND, also where the card is in the box; BAD_REQUEST for a token that is none.
 */
export async function listComments(
  { database }: CommentPorts,
  { watchlistId }: Access,
  { cardId, limit, nextToken }: { cardId: string; limit: number; nextToken?: string | undefined },
): Promise<CommentsPage> {
  const after = nextToken === undefined ? undefined : readCursor(nextToken)
  // One more than asked for tells whether there is another page.
  const found = await findPage(database.read, { watchlistId, cardId }, { after, limit: limit + 1 })
  if (!found || isInTheBox(found.status)) throw new Problem('NOT_FOUND')
  const comments = found.comments.slice(0, limit)
  const last = comments.at(-1)
  return { comments, nextToken: found.comments.length > limit && last ? writeCursor(last.commentId) : null }
}

/** @throws {Problem} NOT_FOUND, also where the card is in the box; FORBIDDEN. */
export async function addComment(
  ports: CommentPorts,
  user: User,
  { watchlistId, cardId, content }: { watchlistId: string; cardId: string; content: string },
): Promise<Comment> {
  const added = await ports.database.transaction(async (trx) => {
    await beginCommentChange(trx, { watchlistId, cardId, user })
    const at = ports.clock.now().toISOString()
    const comment = {
      watchlist_id: watchlistId,
      card_id: cardId,
      // Made while the other writers wait, so that comments sort in the order in which they were made.
      id: ports.random.orderedId(),
      author_id: user.userId,
      author_username: user.username,
      content,
      created_at: at,
      updated_at: at,
    }
    await finishWithCommit(trx, insertComment(trx, comment))
    return presentComment(comment)
  })
  tell(ports, { watchlistId, cardId, user })
  return added
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN to everyone but the author. */
export async function editComment(
  ports: CommentPorts,
  user: User,
  { content, ...place }: CommentPlace & { content: string },
): Promise<Comment> {
  const edited = await ports.database.transaction(async (trx) => {
    const comment = await beginOwnCommentChange(trx, user, place)
    const change = { content, updated_at: editTime(comment, ports.clock.now()) }
    await saveComment(trx, place, change)
    return presentComment({ ...comment, ...change })
  })
  tell(ports, { ...place, user })
  return edited
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN to everyone but the author. */
export async function deleteComment(ports: CommentPorts, user: User, place: CommentPlace): Promise<void> {
  await ports.database.transaction(async (trx) => {
    await beginOwnCommentChange(trx, user, place)
    await deleteCommentRow(trx, place)
  })
  tell(ports, { ...place, user })
}

/** Comments are embedded in the pages of the feed, so each change of one is a change of the feed. */
async function beginCommentChange(trx: AnyDb, { watchlistId, cardId, user }: Wish): Promise<void> {
  const [, isThere] = await Promise.all([
    beginChange(trx, { watchlistId, user }, { changesFeed: true }),
    isInFeed(trx, watchlistId, cardId),
  ])
  if (!isThere) throw new Problem('NOT_FOUND')
}

async function beginOwnCommentChange(trx: AnyDb, user: User, place: CommentPlace): Promise<CommentTables['comment']> {
  await beginCommentChange(trx, { ...place, user })
  const comment = await findComment(trx, place)
  if (!comment) throw new Problem('NOT_FOUND')
  if (!mayChange({ isAuthor: comment.author_id === user.userId })) throw new Problem('FORBIDDEN')
  return comment
}

/** Later than the comment was made, however fast the author was or the clock was set: that is what "edited" means. */
function editTime({ created_at: createdAt }: CommentTables['comment'], now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(createdAt) + 1)).toISOString()
}

function tell({ live }: CommentPorts, { watchlistId, cardId, user }: Wish): void {
  live.publish({ kind: 'comments-changed', watchlistId, cardId, by: user.username })
}
