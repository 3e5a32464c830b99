import { ENDPOINTS } from '@marquee/contract/endpoints'
import { ACCOUNT_ENDPOINTS } from '@marquee/contract/endpoints/account'
import { Problem } from '@marquee/contract/problems'
import { type Caller, callerOf } from '@marquee/platform/http/caller'
import { ANSWERED, type Route } from '@marquee/platform/http/mount'
import { streamText } from '@marquee/platform/http/stream-text'

import type { Principal, User } from '../people/service.ts'
import {
  type AccountPorts,
  countRecoveryCodes,
  endSession,
  listPasskeys,
  listSecurityEvents,
  listSessions,
  makeRecoveryCodes,
  renamePasskey,
  requireFreshSignIn,
} from './service.ts'

const ELSEWHERE = 'Accounts are kept by Amazon Cognito here, which does not offer this'

type RoutePorts = {
  readonly account: AccountPorts
  /** All data of a user, as parts of a JSON text. */
  readonly ownData: (user: User, caller: Caller) => AsyncGenerator<string>
}

/** The endpoints under `/account`. */
export function accountRoutes(route: Route<Principal>, { account, ownData }: RoutePorts): void {
  route(ENDPOINTS.countRecoveryCodes, async ({ user }) => await countRecoveryCodes(account, user))

  route(
    ENDPOINTS.makeRecoveryCodes,
    async ({ user, request }) => await makeRecoveryCodes(account, user, callerOf(request)),
  )

  route(ENDPOINTS.listPasskeys, async ({ user }) => await listPasskeys(account, user))

  route(
    ENDPOINTS.renamePasskey,
    async ({ user, params, body }) => await renamePasskey(account, user, { ...params, ...body }),
  )

  route(ENDPOINTS.listSessions, async ({ user }) => await listSessions(account, user))

  route(ENDPOINTS.endSession, async ({ user, params, request }) => {
    await endSession(account, user, params.sessionId, callerOf(request))
  })

  route(ENDPOINTS.listSecurityEvents, async ({ user, query }) => await listSecurityEvents(account, user, query))

  route(ENDPOINTS.exportData, async ({ user, request, reply }) => {
    await requireFreshSignIn(account, user)
    void reply.header('content-disposition', 'attachment; filename="marquee.json"')
    const text = ownData(user, callerOf(request))
    await streamText(reply.type('application/json; charset=utf-8'), text)
    return ANSWERED
  })
}

/** The same endpoints if Amazon Cognito keeps the accounts: they answer that it does not offer this. */
export function accountElsewhere(route: Route<Principal>): void {
  for (const endpoint of Object.values(ACCOUNT_ENDPOINTS)) {
    route(endpoint, async () => await Promise.reject<never>(new Problem('NOT_FOUND', ELSEWHERE)))
  }
}
