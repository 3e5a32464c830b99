import type { Comment } from '@marquee/contract/entities/comment'
import { EMBEDDED_COMMENTS } from '@marquee/contract/limits'

/** Comments, newest first. */
export type Comments = readonly Comment[]
export type CommentChange = (comments: Comments) => Comments

const PENDING = 'pending '

/** A comment as it will be, shown until the server has answered. */
export function pendingComment(id: string, comment: Pick<Comment, 'cardId' | 'content' | 'authorId'>): Comment {
  const now = new Date().toISOString()
  return { ...comment, commentId: `${PENDING}${id}`, createdAt: now, updatedAt: now }
}

export function isPending({ commentId }: Pick<Comment, 'commentId'>): boolean {
  return commentId.startsWith(PENDING)
}

export function isEdited({ createdAt, updatedAt }: Pick<Comment, 'createdAt' | 'updatedAt'>): boolean {
  return updatedAt > createdAt
}

/** Clocks of browsers differ from the server's, so a pending comment counts as the newest. */
function isNewer(one: Comment, other: Comment): boolean {
  if (isPending(one) !== isPending(other)) return isPending(one)
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt
  return one.commentId > other.commentId
}

/** Puts a comment where its age belongs. It replaces itself. */
export function withComment(comment: Comment): CommentChange {
  return (comments) => {
    const others = withoutComment(comment.commentId)(comments)
    const index = others.findIndex((other) => isNewer(comment, other))
    return index === -1 ? [...others, comment] : others.toSpliced(index, 0, comment)
  }
}

export function withoutComment(id: string): CommentChange {
  return (comments) => comments.filter(({ commentId }) => commentId !== id)
}

/** Replaces a comment where it is. One that is not in the list is not added. */
export function withChanged(changed: Comment): CommentChange {
  return (comments) => comments.map((comment) => (comment.commentId === changed.commentId ? changed : comment))
}

/** Replaces a pending comment by the one that the server has created. */
export function withSettled(pendingId: string, comment: Comment): CommentChange {
  return (comments) => withComment(comment)(withoutComment(pendingId)(comments))
}

/**
 * Replaces the last comments. Older and pending ones stay. Fewer last comments than a card can have are all comments.
 */
export function withNewest(last: Comments): CommentChange {
  return (comments) => {
    const oldest = last.length < EMBEDDED_COMMENTS ? undefined : last.at(-1)
    const others = comments.filter(
      (comment) => isPending(comment) || (oldest !== undefined && isNewer(oldest, comment)),
    )
    return [...others, ...last].toSorted((one, other) => (isNewer(one, other) ? -1 : 1))
  }
}
