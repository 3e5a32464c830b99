import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { Principal } from '../../club/people/service.ts'
import {
  answerMediaClaim,
  beginQuickConnect,
  claimMediaAccount,
  finishQuickConnect,
  linkWithPassword,
  listMediaAccounts,
} from './linking.ts'
import { makeMediaHook } from './reports.ts'
import { listMediaLinks, type MediaLinkPorts, unlinkMediaUser } from './service.ts'

/** The users of media servers whom members have linked. All calls answer 404 while media servers are switched off. */
export function mediaLinkRoutes(route: Route<Principal>, ports: MediaLinkPorts): void {
  route(ENDPOINTS.listMediaLinks, async ({ user, params }) => await listMediaLinks(ports, user, params.watchlistId))
  route(ENDPOINTS.beginQuickConnect, async ({ user, params }) => await beginQuickConnect(ports, user, params))
  route(ENDPOINTS.finishQuickConnect, async ({ user, params, body }) => ({
    link: await finishQuickConnect(ports, user, params, body.attempt),
  }))
  route(ENDPOINTS.linkWithPassword, async ({ user, params, body }) => await linkWithPassword(ports, user, params, body))
  route(ENDPOINTS.listMediaAccounts, async ({ user, params }) => ({
    accounts: await listMediaAccounts(ports, user, params),
  }))
  route(
    ENDPOINTS.claimMediaAccount,
    async ({ user, params, body }) => await claimMediaAccount(ports, user, params, body.accountId),
  )
  route(ENDPOINTS.answerMediaClaim, async ({ user, params, body }) => {
    await answerMediaClaim(ports, user, params, body)
  })
  route(ENDPOINTS.unlinkMediaUser, async ({ user, params }) => {
    await unlinkMediaUser(ports, user, params)
  })
  route(ENDPOINTS.makeMediaHook, async ({ user, params }) => await makeMediaHook(ports, user, params))
}
