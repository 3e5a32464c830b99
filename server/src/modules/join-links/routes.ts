import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { InvitationPorts } from '../invitations/service.ts'
import type { User } from '../profiles/service.ts'
import { authorizeRead, authorizeReplay } from '../watchlists/service.ts'
import {
  createJoinLink,
  joinByLink,
  listJoinLinks,
  previewJoinLink,
  revokeJoinLink,
  setLinkCreators,
} from './service.ts'

/** The join links of a watchlist, and joining with one. */
export function joinLinkRoutes(route: Route<User>, ports: InvitationPorts): void {
  route(
    ENDPOINTS.createJoinLink,
    repeatable(ports, {
      authorize: authorizeReplay('link.add'),
      handle: async (once, { user, params, body }) => await createJoinLink(once, user, params.watchlistId, body),
    }),
  )

  route(ENDPOINTS.listJoinLinks, async ({ user, params }) => {
    const access = await authorizeRead(ports.database.read, user, 'link.read', params.watchlistId)
    return await listJoinLinks(ports, access)
  })

  route(ENDPOINTS.revokeJoinLink, async ({ user, params }) => {
    await revokeJoinLink(ports, user, params.watchlistId, params.linkId)
  })

  route(
    ENDPOINTS.setLinkCreators,
    async ({ user, params, body }) => await setLinkCreators(ports, user, params.watchlistId, body.creators),
  )

  route(ENDPOINTS.previewJoinLink, async ({ body }) => await previewJoinLink(ports, body.token))

  route(ENDPOINTS.joinByLink, async ({ user, body }) => await joinByLink(ports, user, body.token))
}
