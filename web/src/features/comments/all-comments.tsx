import type { Comment } from '@marquee/contract/entities/comment'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { catchUp } from '#web/api/catch-up.ts'
import { readBetweenChanges } from '#web/api/own-changes.ts'
import { useLiveEvents } from '#web/api/use-live-events.ts'

import { type Comments, oldestFirst } from './comment-list.ts'
import { PreviousComments } from './previous-comments.tsx'
import { type CardPlace, commentPages, commentsOf } from './queries.ts'

type AllCommentsProps = {
  place: CardPlace
  embedded: Comments
  onLoaded: (more: number) => void
  onFailed: (error: unknown) => void
  children: (comments: Comment[]) => ReactNode
}

/** All comments loaded so far, once those beyond the embedded ones were asked for; kept up to date by what is told live. */
export function AllComments({ place, embedded, onLoaded, onFailed, children }: AllCommentsProps) {
  const client = useQueryClient()
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(commentPages(place))
  const loaded = data === undefined ? [] : commentsOf(data)

  useLiveEvents(place.watchlistId, {
    onEvent: ({ kind, cardId }) => {
      if (kind !== 'comments-changed' || cardId !== place.cardId) return
      void readBetweenChanges(client, place.watchlistId, async () => refetch())
    },
    onOpen: (askedAt) => void catchUp(client, commentPages(place).queryKey, askedAt),
  })

  const loadMore = async () => {
    const result = await fetchNextPage()
    if (result.data === undefined || result.isFetchNextPageError) onFailed(result.error)
    else onLoaded(commentsOf(result.data).length - loaded.length)
  }

  return (
    <>
      {hasNextPage && <PreviousComments isLoading={isFetchingNextPage} onLoad={() => void loadMore()} />}
      {children(oldestFirst(loaded, embedded))}
    </>
  )
}
