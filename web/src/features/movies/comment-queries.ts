import { COMMENT_ENDPOINTS } from '@marquee/contract/endpoints/comments'
import type { Card } from '@marquee/contract/entities/card'
import type { CommentsPage } from '@marquee/contract/entities/comment'
import { COMMENTS_PAGE_SIZE, EMBEDDED_COMMENTS } from '@marquee/contract/limits'
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'

import { call, PAGED } from '#web/api/call.ts'

import { type CommentChange, type Comments, isPending, withNewest } from './comment-list.ts'

/** The card whose comments are meant. */
export type CardPlace = { watchlistId: string; cardId: string }

/** `isSeed`: only the last comments, which came with the card. The first page replaces them when it is read. */
type Page = CommentsPage & { isSeed?: true }
type Pages = InfiniteData<Page>

export const commentKeys = {
  all: (watchlistId: string) => ['comments', watchlistId] as const,
  ofCard: ({ watchlistId, cardId }: CardPlace) => ['comments', watchlistId, cardId] as const,
}

/**
 * The comments of a card, newest first. At first these are the last comments, which come with each card and are kept up to
 * date with it. Once previous comments are read, the query keeps itself up to date.
 */
export const commentPages = (place: CardPlace) =>
  infiniteQueryOptions({
    queryKey: commentKeys.ofCard(place),
    queryFn: async ({ pageParam, signal }): Promise<Page> =>
      call(COMMENT_ENDPOINTS.listComments, {
        params: place,
        query: { limit: COMMENTS_PAGE_SIZE, nextToken: pageParam },
        signal,
      }),
    ...PAGED,
    enabled: ({ state: { data } }) => data !== undefined && !isSeed(data),
  })

function isSeed({ pages }: Pages): boolean {
  return pages[0]?.isSeed === true
}

/** All loaded comments as one list. */
function commentsOf({ pages }: Pages): Comments {
  return pages.flatMap(({ comments }) => comments)
}

/** What the screen shows of the loaded comments: the last few, until previous ones are asked for. */
export function shownComments(data: Pages | undefined) {
  const comments = data === undefined ? [] : commentsOf(data)
  if (data === undefined || !isSeed(data)) return { comments, isSeed: false }
  return { comments: comments.slice(0, EMBEDDED_COMMENTS), isSeed: true }
}

/** The comments of a card as the client knows them. */
export function knownComments(client: QueryClient, place: CardPlace): Comments {
  const data = client.getQueryData(commentPages(place).queryKey)
  return data === undefined ? [] : commentsOf(data)
}

/** Changes the known comments. Which page holds which does not matter: they are shown as one list. */
export function changeComments(client: QueryClient, place: CardPlace, change: CommentChange): void {
  client.setQueryData(commentPages(place).queryKey, (data) => {
    if (data === undefined) return data
    const [first, ...others] = data.pages
    if (first === undefined) return data
    const comments = [...change(commentsOf(data))]
    return { ...data, pages: [{ ...first, comments }, ...others.map((page) => ({ ...page, comments: [] }))] }
  })
}

/** Takes over the last comments of a card that the server has sent. */
export function seedComments(client: QueryClient, { watchlistId, id: cardId, lastComments }: Card): void {
  const place = { watchlistId, cardId }
  const known = client.getQueryData(commentPages(place).queryKey)
  if (known !== undefined && !isSeed(known)) return changeComments(client, place, withNewest(lastComments))
  const pending = known === undefined ? [] : commentsOf(known).filter(isPending)
  client.setQueryData(commentPages(place).queryKey, {
    pages: [{ comments: [...pending, ...lastComments], nextToken: null, isSeed: true }],
    pageParams: [undefined],
  })
}
