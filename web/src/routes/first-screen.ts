import type { QueryClient } from '@tanstack/react-query'
import { matchPath } from 'react-router'

import { createQueryClient } from '#web/api/query-client.ts'
import { watchlistDetail } from '#web/features/club/watchlists/queries.ts'
import { cardFeed } from '#web/features/movies/queries.ts'
import { readOrKept } from '#web/offline/kept-reads.ts'
import { ROUTES } from '#web/paths.ts'
import type { SessionState } from '#web/session/session-store.ts'
import { setAppStarting } from '#web/ui/use-gentle-start.ts'

/** On a slow line the app shows its frame meanwhile. */
const MOST_MS = 500

let first: { client: QueryClient; userId: string | undefined } | undefined

/**
 * Reads what a watchlist shows first before React renders, so that it renders the screen once and not its placeholders. A
 * failure is shown by the screen, which reads again.
 */
export async function fillFirstScreen(path: string, session: SessionState): Promise<void> {
  const { watchlistId } = matchPath(ROUTES.watchlist, path)?.params ?? {}
  if (watchlistId === undefined || session.state === 'loading') return
  const client = createQueryClient(readOrKept)
  first = { client, userId: session.state === 'signed-in' ? session.user.userId : undefined }
  const reads = [client.query(watchlistDetail(watchlistId, client)), client.infiniteQuery(cardFeed(watchlistId))]
  await Promise.race([Promise.allSettled(reads), new Promise((resolve) => setTimeout(resolve, MOST_MS))])
  setAppStarting(true)
}

/** The cache of the first screen for its user, a new one for others. */
export function clientOf(userId: string | undefined): QueryClient {
  return first?.userId === userId && first !== undefined ? first.client : createQueryClient(readOrKept)
}

/** Another screen of the same user begins with an empty cache, after they signed out and in again. */
export function endFirstScreen(): void {
  first = undefined
  setAppStarting(false)
}
