import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { CommentsPage } from '@marquee/contract/entities/comment'
import { COMMENTS_PAGE_SIZE } from '@marquee/contract/limits'
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

import type { CommentChange, Comments } from './comment-list.ts'

/** The card whose comments are meant. */
export type CardPlace = { watchlistId: string; cardId: string }

/** The comments of a card, page by page, newest first. */
export const commentPages = ({ watchlistId, cardId }: CardPlace) =>
  infiniteQueryOptions({
    queryKey: ['comments', watchlistId, cardId],
    queryFn: async ({ pageParam, signal }) =>
      call(ENDPOINTS.listComments, {
        params: { watchlistId, cardId },
        query: { limit: COMMENTS_PAGE_SIZE, nextToken: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextToken ?? undefined,
  })

export function commentsOf({ pages }: InfiniteData<CommentsPage>): Comments {
  return pages.flatMap(({ comments }) => comments)
}

/** Changes the loaded pages, if any. Which page holds what does not matter: they are shown as one list. */
export function changePages(client: QueryClient, place: CardPlace, change: CommentChange): void {
  client.setQueryData(commentPages(place).queryKey, (data) => {
    if (data === undefined) return data
    const [first, ...others] = data.pages
    if (first === undefined) return data
    const all = [...change(commentsOf(data))]
    return { ...data, pages: [{ ...first, comments: all }, ...others.map((page) => ({ ...page, comments: [] }))] }
  })
}
