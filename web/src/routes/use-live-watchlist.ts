import type { LiveEvent } from '@marquee/contract/live-events'
import { isSameUser } from '@marquee/contract/rules/account'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'

import { catchUp, ownChangesAnswered } from '#web/api/own-changes.ts'
import { useLiveEvents } from '#web/api/live.ts'
import { invitationKeys } from '#web/features/invitations/queries.ts'
import { currentWatchlist, watchlistDetail, watchlistList } from '#web/features/watchlists/queries.ts'

/**
 * Keeps a watchlist itself as the others make it: its texts and image, who shares it, who is invited, and whether it is
 * there at all. Its cards and comments are kept by the features that show them.
 */
export function useLiveWatchlist(watchlistId: string, username: string): void {
  const client = useQueryClient()
  const detail = watchlistDetail(watchlistId, client).queryKey
  const invitations = invitationKeys.pending(watchlistId)
  const everywhere: QueryKey[] = [detail, watchlistList().queryKey]

  const touchedBy: Record<LiveEvent['kind'], QueryKey[]> = {
    'watchlist-changed': everywhere,
    'watchlist-deleted': [...everywhere, currentWatchlist().queryKey],
    // Whoever joins has accepted an invitation; their first watchlist becomes their current one.
    'members-changed': [...everywhere, invitations, currentWatchlist().queryKey],
    'invitations-changed': [invitations],
    'box-changed': [],
    'card-revealed': [],
    'card-changed': [],
    'card-deleted': [],
    'comments-changed': [],
  }
  const refetch = async ({ kind, by = '' }: LiveEvent) => {
    // What this tab does shows by itself, and may lead to another screen.
    if (isSameUser(by, username)) await ownChangesAnswered(client)
    await Promise.all(touchedBy[kind].map(async (queryKey) => client.invalidateQueries({ queryKey })))
  }

  useLiveEvents(watchlistId, {
    onEvent: (event) => void refetch(event),
    onOpen: (askedAt) => {
      for (const queryKey of [detail, invitations]) void catchUp(client, queryKey, askedAt)
    },
    // Deleted, or private now and not for this user: the answer to the next question says so.
    onGone: () => void client.invalidateQueries({ queryKey: detail }),
  })
}
