import { ACCOUNT_ENDPOINTS } from '@marquee/contract/endpoints/account'
import { PERSONAL_TOKEN_ENDPOINTS } from '@marquee/contract/endpoints/personal-tokens'
import { useMutation } from '@tanstack/react-query'

import { call, send } from '#web/api/call.ts'
import { useChange } from '#web/api/read-again.ts'

/** A change of the account. Everything about the account is read again afterwards. */
export function useAccountChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  return useChange(change, ['account'])
}

/** Makes new recovery codes. Only this reply contains them. */
export function useMakeRecoveryCodes() {
  return useAccountChange<void, string[]>(async () => (await call(ACCOUNT_ENDPOINTS.makeRecoveryCodes, {})).codes)
}

/** Renames a passkey. */
export function useRenamePasskey() {
  return useAccountChange(
    async ({ passkeyId, name }: { passkeyId: string; name: string }) =>
      await call(ACCOUNT_ENDPOINTS.renamePasskey, { params: { passkeyId }, body: { name } }),
  )
}

/** Ends another session of the user. */
export async function endSession(sessionId: string): Promise<void> {
  await call(ACCOUNT_ENDPOINTS.endSession, { params: { sessionId } })
}

/** Creates a personal access token. Only this reply has it. */
export function useCreateToken() {
  return useAccountChange(send(PERSONAL_TOKEN_ENDPOINTS.createPersonalToken))
}

export async function revokeToken(tokenId: string): Promise<void> {
  await call(PERSONAL_TOKEN_ENDPOINTS.revokePersonalToken, { params: { tokenId } })
}

export async function revokeAllTokens(): Promise<void> {
  const { tokens } = await call(PERSONAL_TOKEN_ENDPOINTS.listPersonalTokens, {})
  for (const { id } of tokens) await revokeToken(id)
}

/** Exports all data about the user. */
export function useExportData() {
  return useMutation({ mutationFn: send(ACCOUNT_ENDPOINTS.exportData) })
}
