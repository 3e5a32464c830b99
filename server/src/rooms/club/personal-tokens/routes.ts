import { callerOf } from '@marquee/platform/http/caller'

import type { Handlers, User } from '../people/service.ts'
import { createPersonalToken, listPersonalTokens, type PersonalTokenPorts, revokePersonalToken } from './service.ts'

/** `requireFresh` throws unless the user has just signed in. */
export function personalTokenHandlers(
  ports: PersonalTokenPorts & { readonly requireFresh: (user: User) => Promise<void> },
) {
  return {
    listPersonalTokens: async ({ user }) => ({ tokens: await listPersonalTokens(ports, user) }),
    createPersonalToken: async ({ user, body, request }) => {
      await ports.requireFresh(user)
      return await createPersonalToken(ports, user, body, callerOf(request))
    },
    revokePersonalToken: async ({ user, params, request }) =>
      await revokePersonalToken(ports, user, params.tokenId, callerOf(request)),
  } satisfies Partial<Handlers>
}
