import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { User } from '../profiles/service.ts'
import { removeWatchlistImage, setWatchlistImage, type UploadPorts } from './image.ts'
import { type MemberPorts, removeMember } from './members.ts'
import { deleteWatchlist, handOver, setPrivacy } from './ownership.ts'
import {
  createWatchlist,
  findCurrentWatchlist,
  getForMember,
  getForOwner,
  getReadable,
  getWatchlist,
  listWatchlists,
  setCurrentWatchlist,
  updateWatchlist,
} from './service.ts'

/** Spec section 7: the calls under `/watchlists`, without cards. */
export function watchlistRoutes(route: Route<User>, ports: MemberPorts & UploadPorts): void {
  const db = ports.database.read

  route(ENDPOINTS.listWatchlists, async ({ user }) => await listWatchlists(ports, user))

  route(
    ENDPOINTS.createWatchlist,
    repeatable(ports, {
      // The kept reply shows the watchlist as its owner made it, and nothing that came later.
      authorize: async () => undefined,
      handle: async (once, { user, body }) => await createWatchlist(once, user, body),
    }),
  )

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

  route(ENDPOINTS.deleteWatchlist, async ({ user, params }) => {
    const access = await getForOwner(db, params.watchlistId, user)
    await deleteWatchlist(ports, user, access)
  })

  route(ENDPOINTS.uploadWatchlistImage, async ({ user, params, body }) => {
    const access = await getForMember(db, params.watchlistId, user)
    return await setWatchlistImage(ports, user, access, body.imageData)
  })

  route(ENDPOINTS.deleteWatchlistImage, async ({ user, params }) => {
    const access = await getForMember(db, params.watchlistId, user)
    await removeWatchlistImage(ports, user, access)
  })

  route(ENDPOINTS.setWatchlistPrivacy, async ({ user, params, body }) => {
    const access = await getForOwner(db, params.watchlistId, user)
    return await setPrivacy(ports, user, access, body.isPrivate)
  })

  route(ENDPOINTS.handOverWatchlist, async ({ user, params, body }) => {
    const access = await getForOwner(db, params.watchlistId, user)
    return await handOver(ports, user, access, body.username)
  })

  route(ENDPOINTS.removeMember, async ({ user, params }) => {
    const access = await getForMember(db, params.watchlistId, user)
    await removeMember(ports, user, access, params.username)
  })
}
