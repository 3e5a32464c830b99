import type { Comment } from '@marquee/contract/entities/comment'
import { isSameUser } from '@marquee/contract/rules/account'
import { useState } from 'react'

/** The comments on a card, oldest first, and whether there are previous ones. */
export type ShownComments = { comments: readonly Comment[]; hasPrevious: boolean; isLoaded: boolean }

const holds = (comments: readonly Comment[], { commentId }: Comment) =>
  comments.some((other) => other.commentId === commentId)

/** The comments that are newer than those that are shown. */
function arrivalsSince(shown: readonly Comment[], now: readonly Comment[]): readonly Comment[] {
  return now.slice(now.findLastIndex((comment) => holds(shown, comment)) + 1)
}

/** What is shown, as it is now. What is older than all that is known now has only made room. */
function keptOf({ comments, ...rest }: ShownComments, now: readonly Comment[]): ShownComments {
  const oldest = now[0]?.createdAt ?? ''
  const kept = comments.filter((comment) => comment.createdAt < oldest || holds(now, comment))
  return { ...rest, comments: kept.map((one) => now.find(({ commentId }) => commentId === one.commentId) ?? one) }
}

/** What is shown while new comments of others wait until the user asks for them, so that nothing moves under the finger. */
export function useArrivals(now: ShownComments, username: string, isHolding: boolean) {
  const [shown, setShown] = useState(now)
  const arrived = arrivalsSince(shown.comments, now.comments).filter(
    ({ authorId }) => !isSameUser(authorId, username),
  ).length
  const isHeld = isHolding && shown.isLoaded && arrived > 0
  if (!isHeld && shown !== now) setShown(now)
  return {
    ...(isHeld ? keptOf(shown, now.comments) : now),
    arrived: isHeld ? arrived : 0,
    // What is known by then is shown.
    showAll: () => setShown({ ...now, isLoaded: false }),
  }
}
