import type { Comment } from '@marquee/contract/entities/comment'

/** Comments newest first, as they are embedded in a card and as pages hold them. */
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

/** The clocks of browsers differ from the server's, so what is still pending counts as the newest whatever it says. */
function isNewer(one: Comment, other: Comment): boolean {
  if (isPending(one) !== isPending(other)) return isPending(one)
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt
  return one.commentId > other.commentId
}

/** With a comment where its age puts it; in place of itself if it was there. */
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

/** With a comment as it is now, where it was; one that is not there stays away. */
export function withChanged(changed: Comment): CommentChange {
  return (comments) => comments.map((comment) => (comment.commentId === changed.commentId ? changed : comment))
}

/** With what the server made of a pending comment in its place. */
export function withSettled(pendingId: string, comment: Comment): CommentChange {
  return (comments) => withComment(comment)(withoutComment(pendingId)(comments))
}

/**
 * What the screen shows, oldest first: the pages loaded so far ahead of the embedded comments, each comment once. Where
 * both hold it the embedded one counts, which is refreshed more often.
 */
export function oldestFirst(loaded: Comments, embedded: Comments): Comment[] {
  const byId = new Map([...loaded, ...embedded].map((comment) => [comment.commentId, comment]))
  return [...byId.values()].toSorted((one, other) => (isNewer(one, other) ? 1 : -1))
}
