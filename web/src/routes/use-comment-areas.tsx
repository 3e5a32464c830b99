import type { Card } from '@marquee/contract/entities/card'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo } from 'react'

import { feedCache } from '#web/features/cards/feed-cache.ts'
import type { EmbeddedComments } from '#web/features/comments/changes.ts'
import { CommentArea } from '#web/features/comments/comment-area.tsx'

/** Joins cards and comments: the area below each card, whose last comments stand in the card itself. */
export function useCommentAreas(watchlistId: string, username: string, isMember: boolean): (card: Card) => ReactNode {
  const client = useQueryClient()
  const embedded = useMemo<EmbeddedComments>(() => {
    const feed = feedCache(client, watchlistId)
    return {
      stopReading: feed.stopReading,
      change: ({ cardId }, change) => feed.changeComments(cardId, change),
      refresh: ({ cardId }) => void feed.refresh(cardId),
    }
  }, [client, watchlistId])

  return useCallback(
    (card: Card) => <CommentArea card={card} username={username} isMember={isMember} embedded={embedded} />,
    [username, isMember, embedded],
  )
}
