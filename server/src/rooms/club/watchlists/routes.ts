import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Handlers } from '../people/service.ts'
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
export function watchlistHandlers(ports: MemberPorts & OwnerPorts & UploadPorts & RemovalOfWatchlists & ServicePorts) {
  return {
    listWatchlists: async ({ user }) => await listWatchlists(ports, user),
    createWatchlist: repeatable(ports, {
      // The stored reply has only what the caller sent.
      authorize: async () => undefined,
      handle: async (once, { user, body }) => await createWatchlist(once, user, body),
    }),
    getCurrentWatchlist: async ({ user }) => ({
      currentWatchlistId: (await findCurrentWatchlist(ports, user)) ?? null,
    }),
    setCurrentWatchlist: async ({ user, body: { watchlistId } }) => {
      await setCurrentWatchlist(ports, user, watchlistId)
      return { currentWatchlistId: watchlistId }
    },
    getWatchlist: async ({ user, params }) => {
      const access = await authorizeRead(ports.database.read, user, 'watchlist.read', params.watchlistId)
      return await getWatchlist(ports, access)
    },
    updateWatchlist: async ({ user, params, body }) => await updateWatchlist(ports, user, params.watchlistId, body),
    setCountry: async ({ user, params, body }) => await setCountry(ports, user, params.watchlistId, body.country),
    deleteWatchlist: async ({ user, params }) => await deleteWatchlist(ports, user, params.watchlistId),
    ...ownerHandlers(ports),
  } satisfies Partial<Handlers>
}

/** What only the owner may do, besides deleting the watchlist. */
function ownerHandlers(ports: MemberPorts & OwnerPorts & UploadPorts) {
  return {
    uploadWatchlistImage: async ({ user, params, body }) =>
      await setWatchlistImage(ports, user, params.watchlistId, body.imageData),
    deleteWatchlistImage: async ({ user, params }) => await removeWatchlistImage(ports, user, params.watchlistId),
    setWatchlistPrivacy: async ({ user, params, body }) =>
      await setPrivacy(ports, user, params.watchlistId, body.isPrivate),
    handOverWatchlist: async ({ user, params, body }) => await handOver(ports, user, params.watchlistId, body.username),
    removeMember: async ({ user, params }) => await removeMember(ports, user, params.watchlistId, params.username),
  } satisfies Partial<Handlers>
}
