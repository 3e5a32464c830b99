import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { User } from '../profiles/service.ts'
import {
  createWatchlist,
  findCurrentWatchlist,
  getForMember,
  getReadable,
  getWatchlist,
  listWatchlists,
  setCurrentWatchlist,
  updateWatchlist,
  type WatchlistPorts,
} from './service.ts'

/** Spec section 7: the calls under `/watchlists`, without cards. */
export function watchlistRoutes(route: Route<User>, ports: WatchlistPorts): void {
  const db = ports.database.read

  route(ENDPOINTS.listWatchlists, async ({ user }) => await listWatchlists(ports, user))

  route(ENDPOINTS.createWatchlist, async ({ user, body }) => await createWatchlist(ports, user, body))

  route(ENDPOINTS.getCurrentWatchlist, async ({ user }) => ({
    currentWatchlistId: (await findCurrentWatchlist(ports, user)) ?? null,
  }))

  route(ENDPOINTS.setCurrentWatchlist, async ({ user, body }) => {
    const access = await getForMember(db, body.watchlistId, user)
    await setCurrentWatchlist(ports, user, access)
    return { currentWatchlistId: access.watchlistId }
  })

  route(ENDPOINTS.getWatchlist, async ({ user, params }) => {
    const access = await getReadable(db, params.watchlistId, user)
    return await getWatchlist(ports, access)
  })

  route(ENDPOINTS.updateWatchlist, async ({ user, params, body }) => {
    const access = await getForMember(db, params.watchlistId, user)
    return await updateWatchlist(ports, user, access, body)
  })
}
