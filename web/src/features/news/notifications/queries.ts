import { NOTIFICATION_ENDPOINTS } from '@marquee/contract/endpoints/notifications'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'

import { call, PAGED } from '#web/api/call.ts'

import type { SeenPage } from './seen-live.ts'

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
    queryFn: async ({ signal }) => call(NOTIFICATION_ENDPOINTS.countUnread, { signal }),
    refetchInterval: UNREAD_REFETCH_MS,
  })

/** The user has new notifications. Those of what they see on the open page are dropped before the bell counts them. */
export async function readShownNotifications(client: QueryClient, seen: SeenPage | undefined): Promise<void> {
  if (seen !== undefined) {
    const count = await call(NOTIFICATION_ENDPOINTS.seeNotifications, { body: seen }).catch(() => undefined)
    if (count !== undefined) client.setQueryData(unreadCount().queryKey, count)
  }
  await client.invalidateQueries({ queryKey: notificationKeys.all() })
}

export const notificationPages = () =>
  infiniteQueryOptions({
    queryKey: notificationKeys.list(),
    queryFn: async ({ pageParam, signal }) =>
      call(NOTIFICATION_ENDPOINTS.listNotifications, {
        query: { limit: PAGE_SIZE, ...(pageParam !== undefined && { nextToken: pageParam }) },
        signal,
      }),
    ...PAGED,
    // The page is opened to see what is new.
    staleTime: 0,
  })

/** Marks these notifications, or one and all older ones, as read. */
export function useMarkRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (marked: { ids: readonly string[] } | { upTo: string }) => {
      if ('upTo' in marked) return call(NOTIFICATION_ENDPOINTS.readNotifications, { body: marked })
      const counts = await Promise.all(
        marked.ids.map(async (notificationId) =>
          call(NOTIFICATION_ENDPOINTS.readNotification, { params: { notificationId } }),
        ),
      )
      return { unread: Math.min(...counts.map(({ unread }) => unread)) }
    },
    onSuccess: async (count) => {
      client.setQueryData(unreadCount().queryKey, count)
      await client.invalidateQueries({ queryKey: notificationKeys.list() })
    },
  })
}
