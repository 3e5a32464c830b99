import { ACCOUNT_ENDPOINTS } from '@marquee/contract/endpoints/account'
import { Problem } from '@marquee/contract/problems'
import { type Caller, callerOf } from '@marquee/platform/http/caller'
import { ANSWERED } from '@marquee/platform/http/mount'
import { streamText } from '@marquee/platform/http/stream-text'

import type { Handlers, User } from '../people/service.ts'
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
export function accountHandlers({ account, ownData }: RoutePorts) {
  return {
    countRecoveryCodes: async ({ user }) => await countRecoveryCodes(account, user),
    makeRecoveryCodes: async ({ user, request }) => await makeRecoveryCodes(account, user, callerOf(request)),
    listPasskeys: async ({ user }) => await listPasskeys(account, user),
    renamePasskey: async ({ user, params, body }) => await renamePasskey(account, user, { ...params, ...body }),
    listSessions: async ({ user }) => await listSessions(account, user),
    endSession: async ({ user, params, request }) =>
      await endSession(account, user, params.sessionId, callerOf(request)),
    listSecurityEvents: async ({ user, query }) => await listSecurityEvents(account, user, query),
    exportData: async ({ user, request, reply }) => {
      await requireFreshSignIn(account, user)
      void reply.header('content-disposition', 'attachment; filename="marquee.json"')
      const text = ownData(user, callerOf(request))
      await streamText(reply.type('application/json; charset=utf-8'), text)
      return ANSWERED
    },
  } satisfies Partial<Handlers>
}

/** The same endpoints if Amazon Cognito keeps the accounts: they answer that it does not offer this. */
export function accountElsewhere() {
  const refuse = async () => await Promise.reject<never>(new Problem('NOT_FOUND', ELSEWHERE))
  const handlers = Object.keys(ACCOUNT_ENDPOINTS).map((name) => [name, refuse])
  return Object.fromEntries(handlers) as Record<keyof typeof ACCOUNT_ENDPOINTS, typeof refuse>
}
