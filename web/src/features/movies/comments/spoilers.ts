import type { Card } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'
import { isSameUser } from '@marquee/contract/rules/account'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { viewingsOfCard } from '../viewings/queries.ts'

type Options = { username: string; isMember: boolean }

/**
 * The comments that a member may read without learning how a movie ends. Those of others after the accept are folded for a
 * member who has not seen the movie, once another member has. Readers who are not members cannot say what they have seen.
 */
export function useSpoilers(
  { id: cardId, watchlistId, status, statusChangedAt }: Pick<Card, 'id' | 'watchlistId' | 'status' | 'statusChangedAt'>,
  comments: readonly Comment[],
  { username, isMember }: Options,
) {
  const [isOpen, setOpen] = useState(false)
  const mayFold = isMember && status === 'WATCHED' && !isOpen
  const isLate = ({ createdAt, authorId }: Comment) => createdAt > statusChangedAt && !isSameUser(authorId, username)
  const { data, isFetching } = useQuery({ ...viewingsOfCard({ watchlistId, cardId }), enabled: mayFold })
  const hasSpoilers = mayFold && (!data || (data.own === null && (data.seenBy.length > 0 || data.night !== null)))
  const shown = hasSpoilers ? comments.filter((comment) => !isLate(comment)) : comments
  return {
    shown,
    // Not known yet: shown is only what is safe.
    folded: data === undefined && isFetching ? 0 : comments.length - shown.length,
    /** Older comments may be folded as well. */
    hasMore: comments[0] !== undefined && isLate(comments[0]),
    readAnyway: () => setOpen(true),
  }
}
