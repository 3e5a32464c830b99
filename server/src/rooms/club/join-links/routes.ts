import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Principal } from '../people/service.ts'
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
export function joinLinkRoutes(route: Route<Principal>, ports: MailInvitationPorts & AddressBook): void {
  route(
    ENDPOINTS.createJoinLink,
    repeatable(ports, {
      authorize: authorizeReplay('link.add'),
      handle: async (once, { user, params, body }) => await createJoinLink(once, user, params.watchlistId, body),
    }),
  )

  route(ENDPOINTS.listJoinLinks, async ({ user, params }) => {
    const access = await authorizeRead(ports.database.read, user, 'link.read', params.watchlistId)
    return await listJoinLinks(ports, user, access)
  })

  route(ENDPOINTS.revokeJoinLink, async ({ user, params }) => {
    await revokeJoinLink(ports, user, params.watchlistId, params.linkId)
  })

  route(
    ENDPOINTS.setLinkCreators,
    async ({ user, params, body }) => await setLinkCreators(ports, user, params.watchlistId, body.creators),
  )

  route(
    ENDPOINTS.inviteByMail,
    repeatable(ports, {
      authorize: authorizeReplay('link.add'),
      handle: async (once, { user, params, body }) => await inviteByMail(once, user, params.watchlistId, body.email),
    }),
  )

  route(ENDPOINTS.withdrawMailInvitation, async ({ user, params }) => {
    await withdrawMailInvitation(ports, user, params.watchlistId, params.linkId)
  })

  route(ENDPOINTS.previewJoinLink, async ({ body }) => await previewJoinLink(ports, body.token))

  route(ENDPOINTS.joinByLink, async ({ user, body }) => await joinByLink(ports, user, body.token))
}
