import { Problem } from '@marquee/contract/problems'
import type { Passkey } from '@marquee/contract/entities/account'

import type { User } from '../profiles/service.ts'

/** What the identity service keeps of a person beyond Cognito's operations; people are named by `userId`. */
export type AccountPorts = {
  makeRecoveryCodes: (userId: string) => Promise<string[]>
  countRecoveryCodes: (userId: string) => Promise<number>
  listPasskeys: (userId: string) => Promise<Passkey[]>
  renamePasskey: (userId: string, passkeyId: string, name: string) => Promise<Passkey | undefined>
}

/** New recovery codes in place of all earlier ones. */
export async function makeRecoveryCodes(account: AccountPorts, user: User): Promise<{ codes: string[] }> {
  return { codes: await account.makeRecoveryCodes(user.userId) }
}

/** How many recovery codes the person can still use. */
export async function countRecoveryCodes(account: AccountPorts, user: User): Promise<{ left: number }> {
  return { left: await account.countRecoveryCodes(user.userId) }
}

export async function listPasskeys(account: AccountPorts, user: User): Promise<{ passkeys: Passkey[] }> {
  return { passkeys: await account.listPasskeys(user.userId) }
}

/** @throws {Problem} NOT_FOUND when the person has no such passkey. */
export async function renamePasskey(
  account: AccountPorts,
  user: User,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<Passkey> {
  const renamed = await account.renamePasskey(user.userId, passkeyId, name)
  if (!renamed) throw new Problem('NOT_FOUND', 'You have no such passkey')
  return renamed
}
