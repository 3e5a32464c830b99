import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Handlers } from '../people/service.ts'
import { authorizeRead, authorizeReplay } from '../watchlists/service.ts'
import { type AddressBook, inviteByMail, type MailInvitationPorts, withdrawMailInvitation } from './mail-invitations.ts'
import {
  createJoinLink,
  joinByLink,
  listJoinLinks,
  previewJoinLink,
  revokeJoinLink,
  setLinkCreators,
} from './service.ts'

/** The join links of a watchlist, those mailed to an address included, and joining with one. */
export function joinLinkHandlers(ports: MailInvitationPorts & AddressBook) {
  return {
    createJoinLink: repeatable(ports, {
      authorize: authorizeReplay('link.add'),
      handle: async (once, { user, params, body }) => await createJoinLink(once, user, params.watchlistId, body),
    }),
    listJoinLinks: async ({ user, params }) => {
      const access = await authorizeRead(ports.database.read, user, 'link.read', params.watchlistId)
      return await listJoinLinks(ports, user, access)
    },
    revokeJoinLink: async ({ user, params }) => await revokeJoinLink(ports, user, params.watchlistId, params.linkId),
    setLinkCreators: async ({ user, params, body }) =>
      await setLinkCreators(ports, user, params.watchlistId, body.creators),
    inviteByMail: repeatable(ports, {
      authorize: authorizeReplay('link.add'),
      handle: async (once, { user, params, body }) => await inviteByMail(once, user, params.watchlistId, body.email),
    }),
    withdrawMailInvitation: async ({ user, params }) =>
      await withdrawMailInvitation(ports, user, params.watchlistId, params.linkId),
    previewJoinLink: async ({ body }) => await previewJoinLink(ports, body.token),
    joinByLink: async ({ user, body }) => await joinByLink(ports, user, body.token),
  } satisfies Partial<Handlers>
}
