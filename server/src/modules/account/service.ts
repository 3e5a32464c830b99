import type { User } from '../profiles/service.ts'

/** What the identity service keeps of a person beyond Cognito's operations; people are named by `userId`. */
export type AccountPorts = {
  makeRecoveryCodes: (userId: string) => Promise<string[]>
  countRecoveryCodes: (userId: string) => Promise<number>
}

/** New recovery codes in place of all earlier ones. */
export async function makeRecoveryCodes(account: AccountPorts, user: User): Promise<{ codes: string[] }> {
  return { codes: await account.makeRecoveryCodes(user.userId) }
}

/** How many recovery codes the person can still use. */
export async function countRecoveryCodes(account: AccountPorts, user: User): Promise<{ left: number }> {
  return { left: await account.countRecoveryCodes(user.userId) }
}
