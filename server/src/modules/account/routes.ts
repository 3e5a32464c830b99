import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { User } from '../profiles/service.ts'
import { type AccountPorts, countRecoveryCodes, listPasskeys, makeRecoveryCodes, renamePasskey } from './service.ts'

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
