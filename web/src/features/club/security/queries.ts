import { ACCOUNT_ENDPOINTS } from '@marquee/contract/endpoints/account'
import { PERSONAL_TOKEN_ENDPOINTS } from '@marquee/contract/endpoints/personal-tokens'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { readExternalLink } from '#web/api/external-sign-in.ts'
import { listDevices, readEmail, readPasskeys, readSecondFactors } from '#web/account/account-security.ts'
import { features } from '#web/config.ts'

/** The second factors of the user. */
export const secondFactors = queryOptions({ queryKey: ['account', 'second-factors'], queryFn: readSecondFactors })

/** The address the user signs in with. */
export const ownEmail = queryOptions({ queryKey: ['account', 'email'], queryFn: readEmail })

/** How many recovery codes are left. */
export const recoveryCodesLeft = queryOptions({
  queryKey: ['account', 'recovery-codes'],
  queryFn: async ({ signal }) => (await call(ACCOUNT_ENDPOINTS.countRecoveryCodes, { signal })).left,
})

export const ownPasskeys = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) =>
    features().accountService ? (await call(ACCOUNT_ENDPOINTS.listPasskeys, { signal })).passkeys : readPasskeys(),
})

/** Where the user is signed in. */
export const ownSessions = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await call(ACCOUNT_ENDPOINTS.listSessions, { signal })).sessions,
})

/** The personal access tokens of the user. */
export const ownTokens = queryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: async ({ signal }) => (await call(PERSONAL_TOKEN_ENDPOINTS.listPersonalTokens, { signal })).tokens,
})

/** The security events of the account, page by page. */
export const activity = infiniteQueryOptions({
  queryKey: ['account', 'activity'],
  queryFn: async ({ pageParam, signal }) =>
    await call(ACCOUNT_ENDPOINTS.listSecurityEvents, {
      query: pageParam === null ? {} : { nextToken: pageParam },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextToken,
})

/** Whether the user can sign in with the external provider. */
export const ownExternalLink = queryOptions({ queryKey: ['account', 'external'], queryFn: readExternalLink })

/** The devices on which the user signed in. */
export const ownDevices = queryOptions({ queryKey: ['account', 'devices'], queryFn: listDevices })
