import type { LiveEvent } from '@marquee/contract/live-events'
import { isSameUser } from '@marquee/contract/rules/account'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'

import { catchUp, ownChangesAnswered } from '#web/api/own-changes.ts'
import { useLiveEvents } from '#web/api/live.ts'
import { invitationKeys } from '#web/features/club/invitations/queries.ts'
import { joinLinkKeys } from '#web/features/club/join-links/queries.ts'
import { nightList } from '#web/features/nights/night/night-list.ts'
import { currentWatchlist, watchlistDetail, watchlistList } from '#web/features/club/watchlists/queries.ts'

/**
 * Keeps a watchlist up to date: texts, image, members, invitations, join links, and whether it exists. The feature of cards does so
 * for cards and comments.
 */
export function useLiveWatchlist(watchlistId: string, username: string): void {
  const client = useQueryClient()
  const detail = watchlistDetail(watchlistId, client).queryKey
  const invitations = invitationKeys.pending(watchlistId)
  const links = joinLinkKeys.ofWatchlist(watchlistId)
  const nights = nightList(watchlistId).queryKey
  const availability = ['availability']
  const requests: QueryKey[] = [availability, ['request-server', watchlistId]]
  // The library has a filter for what can be watched.
  const servers: QueryKey[] = [availability, ['library', watchlistId, 'pages'], ['media-servers', watchlistId]]
  const everywhere: QueryKey[] = [detail, watchlistList().queryKey]

  const touchedBy: Record<LiveEvent['kind'], QueryKey[]> = {
    'watchlist-changed': everywhere,
    'watchlist-deleted': [...everywhere, currentWatchlist().queryKey],
    // A new member has accepted an invitation, and their first watchlist becomes current.
    'members-changed': [...everywhere, invitations, links, currentWatchlist().queryKey],
    'invitations-changed': [invitations, links],
    'box-changed': [],
    'draws-changed': [],
    'card-revealed': [],
    'card-changed': [],
    // What the user is asked to rate.
    'card-deleted': [nights],
    'comments-changed': [],
    'viewings-changed': [nights],
    'servers-changed': servers,
    'requests-changed': requests,
    'nights-changed': [nights],
    // The counts of the top bar listen for themselves.
    'notifications-changed': [],
  }
  const refetch = async ({ kind, by = '' }: LiveEvent) => {
    // Changes of this tab show already, and may open another screen.
    if (isSameUser(by, username)) await ownChangesAnswered(client)
    await Promise.all(touchedBy[kind].map(async (queryKey) => client.invalidateQueries({ queryKey })))
  }

  useLiveEvents(watchlistId, {
    onEvent: (event) => void refetch(event),
    onOpen: (moment) => {
      for (const queryKey of [detail, invitations, links, nights, ...new Set([...requests, ...servers])])
        void catchUp(client, queryKey, moment)
    },
    // The watchlist is deleted, or private now. The next read shows which.
    onGone: () => void client.invalidateQueries({ queryKey: detail }),
  })
}
