import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Handlers } from '../people/service.ts'
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
export function invitationHandlers(ports: InvitationPorts & MailedPorts) {
  return {
    inviteUser: repeatable(ports, {
      authorize: authorizeReplay('invitation.add'),
      handle: async (once, { user, params, body }) => await inviteUser(once, user, params.watchlistId, body.username),
    }),
    listPendingInvitations: async ({ user, params }) => {
      const access = await authorizeRead(ports.database.read, user, 'invitation.read', params.watchlistId)
      return await listPendingInvitations(ports, user, access)
    },
    withdrawInvitation: async ({ user, params }) =>
      await withdrawInvitation(ports, user, params.watchlistId, params.username),
    listReceivedInvitations: async ({ user }) => await listReceivedInvitations(ports, user),
    acceptInvitation: async ({ user, body }) => await acceptByToken(ports, user, body.token),
    acceptReceivedInvitation: async ({ user, params }) => await acceptReceived(ports, user, params.watchlistId),
    declineInvitation: async ({ user, params }) => await declineInvitation(ports, user, params.watchlistId),
  } satisfies Partial<Handlers>
}
