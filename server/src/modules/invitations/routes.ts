import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { User } from '../profiles/service.ts'
import { asMember, getForMember } from '../watchlists/service.ts'
import { acceptByToken, acceptReceived } from './acceptance.ts'
import {
  declineInvitation,
  type InvitationPorts,
  inviteUser,
  listPendingInvitations,
  listReceivedInvitations,
  withdrawInvitation,
} from './service.ts'

/** Spec section 7: invitations, to a watchlist and to oneself. */
export function invitationRoutes(route: Route<User>, ports: InvitationPorts): void {
  const db = ports.database.read

  route(
    ENDPOINTS.inviteUser,
    repeatable(ports, {
      authorize: asMember,
      handle: async (once, { user, params, body }) => {
        const access = await getForMember(db, params.watchlistId, user)
        return await inviteUser(once, user, access, body.username)
      },
    }),
  )

  route(ENDPOINTS.listPendingInvitations, async ({ user, params }) => {
    const access = await getForMember(db, params.watchlistId, user)
    return await listPendingInvitations(ports, access)
  })

  route(ENDPOINTS.withdrawInvitation, async ({ user, params }) => {
    const access = await getForMember(db, params.watchlistId, user)
    await withdrawInvitation(ports, user, access, params.username)
  })

  route(ENDPOINTS.listReceivedInvitations, async ({ user }) => await listReceivedInvitations(ports, user))

  route(ENDPOINTS.acceptInvitation, async ({ user, body }) => await acceptByToken(ports, user, body.token))

  route(
    ENDPOINTS.acceptReceivedInvitation,
    async ({ user, params }) => await acceptReceived(ports, user, params.watchlistId),
  )

  route(ENDPOINTS.declineInvitation, async ({ user, params }) => {
    await declineInvitation(ports, user, params.watchlistId)
  })
}
