import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { User } from '../profiles/service.ts'

/** What the identity service keeps of a person beyond Cognito's operations; people are named by `userId`. */
export type AccountPorts = {
  makeRecoveryCodes: (userId: string) => Promise<string[]>
  countRecoveryCodes: (userId: string) => Promise<number>
}

/** The calls under `/account`. */
export function accountRoutes(route: Route<User>, account: AccountPorts): void {
  route(ENDPOINTS.countRecoveryCodes, async ({ user }) => ({ left: await account.countRecoveryCodes(user.userId) }))

  route(ENDPOINTS.makeRecoveryCodes, async ({ user }) => ({ codes: await account.makeRecoveryCodes(user.userId) }))
}
