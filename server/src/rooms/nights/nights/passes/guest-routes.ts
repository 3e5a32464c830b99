import type { ENDPOINTS } from '@marquee/contract/endpoints'
import { repeatable } from '@marquee/platform/idempotency/repeatable'
import { networksOf } from '@marquee/platform/limits/by-address'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'

import type { CardPorts } from '../../../movies/cards/service.ts'
import type { Handlers, User } from '../../../club/people/service.ts'
import { authorizeRead } from '../../../club/watchlists/service.ts'
import type { AvailabilityOf } from '../../../movies/availability/service.ts'
import { listNightAvailability } from '../vote/availability.ts'
import { claimNight } from './claims.ts'
import {
  addGuest,
  getNightAsGuest,
  type GuestPorts,
  joinNight,
  makeNightCode,
  removeGuest,
  renewNightCode,
  setGuestLimit,
} from './guests.ts'
import { listPlayers, type PlayPorts, playWinner } from '../vote/play.ts'
import { nightKeyOf } from '../night/present.ts'
import { getNightScreen } from './screen.ts'
import { limitWrongCodes } from './wrong-codes.ts'
import { endScreen, findScreenPass, listScreens, pairScreen, requestScreen } from './screens.ts'

/** Guests of a night, who have no account. */
export function guestHandlers(
  ports: GuestPorts & { readonly limiter: RateLimiter; readonly availability: AvailabilityOf },
) {
  return {
    makeNightCode: async ({ user, params }) => await makeNightCode(ports, user, params.nightId),
    renewNightCode: async ({ user, params }) => await renewNightCode(ports, user, params.nightId),
    setGuestLimit: async ({ user, params, body }) => await setGuestLimit(ports, user, params.nightId, body),
    joinNight: async (input) => {
      const address = networksOf(input.request.ip).client
      const join = repeatable<typeof ENDPOINTS.joinNight, User, GuestPorts>(ports, {
        authorize: async () => undefined,
        uncompared: ['device'],
        handle: async (once, { body }) => await joinNight(once, body, address),
      })
      // A guest has no id yet. Keys are valid for one address.
      const user = { userId: `guest at ${address}`, username: '' }
      return await limitWrongCodes(ports.limiter, input.request.ip, async () => await join({ ...input, user }))
    },
    addGuest: repeatable(ports, {
      authorize: async (db, { user, params }) =>
        await authorizeRead(db, user, 'night.invite', nightKeyOf(params.nightId).watchlistId),
      handle: async (once, { user, params, body }) => await addGuest(once, user, params.nightId, body.nickname),
    }),
    removeGuest: async ({ user, params }) => await removeGuest(ports, user, params.nightId, params.guestId),
    getNightAsGuest: async ({ user, params }) => await getNightAsGuest(ports, user, params.nightId),
    listNightAvailability: async ({ user, params }) => ({
      cards: await listNightAvailability(ports, user, params.nightId),
    }),
    claimNight: async ({ user, body }) => await claimNight(ports, user, body.token),
  } satisfies Partial<Handlers>
}

/** Plays the winner of a night on a device of a media server. */
export function playHandlers(ports: PlayPorts) {
  return {
    listPlayers: async ({ user, params }) => await listPlayers(ports, user, params.nightId),
    playWinner: async ({ user, params, body }) => await playWinner(ports, user, params.nightId, body),
  } satisfies Partial<Handlers>
}

/** Big screens, with an account or without. */
export function screenHandlers(ports: CardPorts) {
  return {
    requestScreen: async () => await requestScreen(ports),
    findScreenPass: async ({ body }) => await findScreenPass(ports, body),
    getNightScreen: async ({ user, params }) => await getNightScreen(ports, user, params.nightId),
    listScreens: async ({ user, params }) => ({ screens: await listScreens(ports, user, params.nightId) }),
    pairScreen: async ({ user, params, body }) => await pairScreen(ports, user, params.nightId, body.code),
    endScreen: async ({ user, params }) => await endScreen(ports, user, params.nightId, params.screenId),
  } satisfies Partial<Handlers>
}
