import { ENDPOINTS } from '@marquee/contract/endpoints'
import { callerOf } from '@marquee/platform/http/caller'
import type { Route } from '@marquee/platform/http/mount'

import type { Principal, User } from '../people/service.ts'
import { createPersonalToken, listPersonalTokens, type PersonalTokenPorts, revokePersonalToken } from './service.ts'

/** `requireFresh` throws unless the user has just signed in. */
export function personalTokenRoutes(
  route: Route<Principal>,
  ports: PersonalTokenPorts & { readonly requireFresh: (user: User) => Promise<void> },
): void {
  route(ENDPOINTS.listPersonalTokens, async ({ user }) => ({ tokens: await listPersonalTokens(ports, user) }))

  route(ENDPOINTS.createPersonalToken, async ({ user, body, request }) => {
    await ports.requireFresh(user)
    return await createPersonalToken(ports, user, body, callerOf(request))
  })

  route(ENDPOINTS.revokePersonalToken, async ({ user, params, request }) => {
    await revokePersonalToken(ports, user, params.tokenId, callerOf(request))
  })
}
