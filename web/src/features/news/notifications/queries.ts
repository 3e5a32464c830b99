import { ENDPOINTS } from '@marquee/contract/endpoints'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

const UNREAD_REFETCH_MS = 60_000
const PAGE_SIZE = 30

export const notificationKeys = {
  all: () => ['notifications'] as const,
  unread: () => ['notifications', 'unread'] as const,
  list: () => ['notifications', 'list'] as const,
  push: () => ['notifications', 'push'] as const,
}

/** How many notifications are unread. Read every minute, too, in case there are no live events. */
export const unreadCount = () =>
  queryOptions({
    queryKey: notificationKeys.unread(),
    queryFn: async ({ signal }) => call(ENDPOINTS.countUnread, { signal }),
    refetchInterval: UNREAD_REFETCH_MS,
  })

export const notificationPages = () =>
  infiniteQueryOptions({
    queryKey: notificationKeys.list(),
    queryFn: async ({ pageParam, signal }) =>
      call(ENDPOINTS.listNotifications, {
        query: { limit: PAGE_SIZE, ...(pageParam !== undefined && { nextToken: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextToken }) => nextToken ?? undefined,
    // The page is opened to see what is new.
    staleTime: 0,
  })

/** Marks one notification, or one and all older ones, as read. */
export function useMarkRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (marked: { id: string } | { upTo: string }) =>
      'id' in marked
        ? call(ENDPOINTS.readNotification, { params: { notificationId: marked.id } })
        : call(ENDPOINTS.readNotifications, { body: marked }),
    onSuccess: async (count) => {
      client.setQueryData(unreadCount().queryKey, count)
      await client.invalidateQueries({ queryKey: notificationKeys.list() })
    },
  })
}
