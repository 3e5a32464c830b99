import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Principal } from '../people/service.ts'
import { authorizeRead, authorizeReplay } from '../watchlists/service.ts'
import { acceptByToken, acceptReceived } from './acceptance.ts'
import {
  declineInvitation,
  type InvitationPorts,
  inviteUser,
  listPendingInvitations,
  listReceivedInvitations,
  type MailedPorts,
  withdrawInvitation,
} from './service.ts'

/** Invitations to a watchlist, and the received ones. */
export function invitationRoutes(route: Route<Principal>, ports: InvitationPorts & MailedPorts): void {
  route(
    ENDPOINTS.inviteUser,
    repeatable(ports, {
      authorize: authorizeReplay('invitation.add'),
      handle: async (once, { user, params, body }) => await inviteUser(once, user, params.watchlistId, body.username),
    }),
  )

  route(ENDPOINTS.listPendingInvitations, async ({ user, params }) => {
    const access = await authorizeRead(ports.database.read, user, 'invitation.read', params.watchlistId)
    return await listPendingInvitations(ports, user, access)
  })

  route(ENDPOINTS.withdrawInvitation, async ({ user, params }) => {
    await withdrawInvitation(ports, user, params.watchlistId, params.username)
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
