import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Principal } from '../people/service.ts'
import { removeWatchlistImage, setWatchlistImage, type UploadPorts } from './image.ts'
import { type MemberPorts, type OwnerPorts, removeMember } from './members.ts'
import { deleteWatchlist, handOver, type RemovalOfWatchlists, setPrivacy } from './ownership.ts'
import {
  authorizeRead,
  createWatchlist,
  findCurrentWatchlist,
  getWatchlist,
  listWatchlists,
  type ServicePorts,
  setCountry,
  setCurrentWatchlist,
  updateWatchlist,
} from './service.ts'

/** The calls under `/watchlists`, without cards. */
export function watchlistRoutes(
  route: Route<Principal>,
  ports: MemberPorts & OwnerPorts & UploadPorts & RemovalOfWatchlists & ServicePorts,
): void {
  route(ENDPOINTS.listWatchlists, async ({ user }) => await listWatchlists(ports, user))

  route(
    ENDPOINTS.createWatchlist,
    repeatable(ports, {
      // The stored reply has only what the caller sent.
      authorize: async () => undefined,
      handle: async (once, { user, body }) => await createWatchlist(once, user, body),
    }),
  )

  route(ENDPOINTS.getCurrentWatchlist, async ({ user }) => ({
    currentWatchlistId: (await findCurrentWatchlist(ports, user)) ?? null,
  }))

  route(ENDPOINTS.setCurrentWatchlist, async ({ user, body: { watchlistId } }) => {
    await setCurrentWatchlist(ports, user, watchlistId)
    return { currentWatchlistId: watchlistId }
  })

  route(ENDPOINTS.getWatchlist, async ({ user, params }) => {
    const access = await authorizeRead(ports.database.read, user, 'watchlist.read', params.watchlistId)
    return await getWatchlist(ports, access)
  })

  route(
    ENDPOINTS.updateWatchlist,
    async ({ user, params, body }) => await updateWatchlist(ports, user, params.watchlistId, body),
  )

  route(
    ENDPOINTS.setCountry,
    async ({ user, params, body }) => await setCountry(ports, user, params.watchlistId, body.country),
  )

  route(ENDPOINTS.deleteWatchlist, async ({ user, params }) => {
    await deleteWatchlist(ports, user, params.watchlistId)
  })

  ownerRoutes(route, ports)
}

/** What only the owner may do, besides deleting the watchlist. */
function ownerRoutes(route: Route<Principal>, ports: MemberPorts & OwnerPorts & UploadPorts): void {
  route(
    ENDPOINTS.uploadWatchlistImage,
    async ({ user, params, body }) => await setWatchlistImage(ports, user, params.watchlistId, body.imageData),
  )

  route(ENDPOINTS.deleteWatchlistImage, async ({ user, params }) => {
    await removeWatchlistImage(ports, user, params.watchlistId)
  })

  route(
    ENDPOINTS.setWatchlistPrivacy,
    async ({ user, params, body }) => await setPrivacy(ports, user, params.watchlistId, body.isPrivate),
  )

  route(
    ENDPOINTS.handOverWatchlist,
    async ({ user, params, body }) => await handOver(ports, user, params.watchlistId, body.username),
  )

  route(ENDPOINTS.removeMember, async ({ user, params }) => {
    await removeMember(ports, user, params.watchlistId, params.username)
  })
}
