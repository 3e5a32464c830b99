import { ENDPOINTS } from '@marquee/contract/endpoints'
import { ACCOUNT_ENDPOINTS } from '@marquee/contract/endpoints/account'
import { Problem } from '@marquee/contract/problems'
import type { Route } from '@marquee/platform/http/mount'

import type { User } from '../profiles/service.ts'
import { type AccountPorts, countRecoveryCodes, listPasskeys, makeRecoveryCodes, renamePasskey } from './service.ts'

const ELSEWHERE = 'Accounts are kept by Amazon Cognito here, which does not offer this'

/** The calls under `/account`. */
export function accountRoutes(route: Route<User>, account: AccountPorts): void {
  route(ENDPOINTS.countRecoveryCodes, async ({ user }) => await countRecoveryCodes(account, user))

  route(ENDPOINTS.makeRecoveryCodes, async ({ user }) => await makeRecoveryCodes(account, user))

  route(ENDPOINTS.listPasskeys, async ({ user }) => await listPasskeys(account, user))

  route(
    ENDPOINTS.renamePasskey,
    async ({ user, params, body }) => await renamePasskey(account, user, { ...params, ...body }),
  )
}

/** The same calls where accounts are kept elsewhere: there is nothing behind them. */
export function accountElsewhere(route: Route<User>): void {
  for (const endpoint of Object.values(ACCOUNT_ENDPOINTS)) {
    route(endpoint, async () => await Promise.reject<never>(new Problem('NOT_FOUND', ELSEWHERE)))
  }
}
