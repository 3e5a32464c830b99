import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'
import { networksOf } from '@marquee/platform/limits/by-address'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'

import type { CardPorts } from '../../../movies/cards/service.ts'
import type { Principal, User } from '../../../club/people/service.ts'
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
export function guestRoutes(
  route: Route<Principal>,
  ports: GuestPorts & { readonly limiter: RateLimiter; readonly availability: AvailabilityOf },
): void {
  route(ENDPOINTS.makeNightCode, async ({ user, params }) => await makeNightCode(ports, user, params.nightId))

  route(ENDPOINTS.renewNightCode, async ({ user, params }) => await renewNightCode(ports, user, params.nightId))

  route(
    ENDPOINTS.setGuestLimit,
    async ({ user, params, body }) => await setGuestLimit(ports, user, params.nightId, body),
  )

  route(ENDPOINTS.joinNight, async (input) => {
    const address = networksOf(input.request.ip).client
    const join = repeatable<typeof ENDPOINTS.joinNight, User, GuestPorts>(ports, {
      authorize: async () => undefined,
      handle: async (once, { body }) => await joinNight(once, body, address),
    })
    // A guest has no id yet. Keys are valid for one address.
    const user = { userId: `guest at ${address}`, username: '' }
    return await limitWrongCodes(ports.limiter, input.request.ip, async () => await join({ ...input, user }))
  })

  route(
    ENDPOINTS.addGuest,
    repeatable(ports, {
      authorize: async (db, { user, params }) =>
        await authorizeRead(db, user, 'night.invite', nightKeyOf(params.nightId).watchlistId),
      handle: async (once, { user, params, body }) => await addGuest(once, user, params.nightId, body.nickname),
    }),
  )

  route(ENDPOINTS.removeGuest, async ({ user, params }) => {
    await removeGuest(ports, user, params.nightId, params.guestId)
  })

  route(ENDPOINTS.getNightAsGuest, async ({ user, params }) => await getNightAsGuest(ports, user, params.nightId))

  route(ENDPOINTS.listNightAvailability, async ({ user, params }) => ({
    cards: await listNightAvailability(ports, user, params.nightId),
  }))

  route(ENDPOINTS.claimNight, async ({ user, body }) => await claimNight(ports, user, body.token))
}

/** Plays the winner of a night on a device of a media server. */
export function playRoutes(route: Route<Principal>, ports: PlayPorts): void {
  route(ENDPOINTS.listPlayers, async ({ user, params }) => await listPlayers(ports, user, params.nightId))

  route(ENDPOINTS.playWinner, async ({ user, params, body }) => {
    await playWinner(ports, user, params.nightId, body)
  })
}

/** Big screens, with an account or without. */
export function screenRoutes(route: Route<Principal>, ports: CardPorts): void {
  route(ENDPOINTS.requestScreen, async () => await requestScreen(ports))

  route(ENDPOINTS.findScreenPass, async ({ body }) => await findScreenPass(ports, body))

  route(ENDPOINTS.getNightScreen, async ({ user, params }) => await getNightScreen(ports, user, params.nightId))

  route(ENDPOINTS.listScreens, async ({ user, params }) => ({
    screens: await listScreens(ports, user, params.nightId),
  }))

  route(
    ENDPOINTS.pairScreen,
    async ({ user, params, body }) => await pairScreen(ports, user, params.nightId, body.code),
  )

  route(ENDPOINTS.endScreen, async ({ user, params }) => {
    await endScreen(ports, user, params.nightId, params.screenId)
  })
}
