import { ENDPOINTS } from '@marquee/contract/endpoints'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { readExternalLink } from '#web/api/external-sign-in.ts'
import { listDevices, readEmail, readPasskeys, readSecondFactors } from '#web/session/account-security.ts'
import { features } from '#web/session/features.ts'

/** What is asked for after the password. */
export const secondFactors = queryOptions({ queryKey: ['account', 'second-factors'], queryFn: readSecondFactors })

/** The address the user signs in with. */
export const ownEmail = queryOptions({ queryKey: ['account', 'email'], queryFn: readEmail })

/** How many recovery codes are left. */
export const recoveryCodesLeft = queryOptions({
  queryKey: ['account', 'recovery-codes'],
  queryFn: async ({ signal }) => (await call(ENDPOINTS.countRecoveryCodes, { signal })).left,
})

export const ownPasskeys = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) =>
    features().accountService ? (await call(ENDPOINTS.listPasskeys, { signal })).passkeys : readPasskeys(),
})

/** Where the user is signed in. */
export const ownSessions = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await call(ENDPOINTS.listSessions, { signal })).sessions,
})

/** What was done to the account, page by page. */
export const activity = infiniteQueryOptions({
  queryKey: ['account', 'activity'],
  queryFn: async ({ pageParam, signal }) =>
    await call(ENDPOINTS.listSecurityEvents, { query: pageParam === null ? {} : { nextToken: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextToken,
})
/** Whether one can sign in with the external provider. */
export const ownExternalLink = queryOptions({ queryKey: ['account', 'external'], queryFn: readExternalLink })

/** The devices on which the user signed in. */
export const ownDevices = queryOptions({ queryKey: ['account', 'devices'], queryFn: listDevices })

/** A change of the account, after which everything shown of it is asked for again. */
export function useAccountChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: async () => queryClient.invalidateQueries({ queryKey: ['account'] }),
  })
}

/** Makes new recovery codes; they come back this once. */
export function useMakeRecoveryCodes() {
  return useAccountChange<void, string[]>(async () => (await call(ENDPOINTS.makeRecoveryCodes, {})).codes)
}

/** Names a passkey. */
export function useRenamePasskey() {
  return useAccountChange(
    async ({ passkeyId, name }: { passkeyId: string; name: string }) =>
      await call(ENDPOINTS.renamePasskey, { params: { passkeyId }, body: { name } }),
  )
}

/** Signs out somewhere else. */
export async function endSession(sessionId: string): Promise<void> {
  await call(ENDPOINTS.endSession, { params: { sessionId } })
}

/** Everything that is kept of the user. */
export function useExportData() {
  return useMutation({ mutationFn: async () => call(ENDPOINTS.exportData, {}) })
}
