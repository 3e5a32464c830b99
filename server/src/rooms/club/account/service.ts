import { Problem } from '@marquee/contract/problems'
import type { Passkey, SecurityEvent, SecurityEventsPage, Session } from '@marquee/contract/entities/account'
import { idIn, pageOf, placeOf } from '@marquee/contract/rules/page'

import type { Caller } from '@marquee/platform/http/caller'
import { type Clock, epochSeconds } from '@marquee/platform/runtime/clock'

import type { PersonalTokenPorts } from '../personal-tokens/service.ts'
import type { User } from '../people/service.ts'

/** The data that the identity service keeps of a user beyond Cognito's operations. */
export type AccountPorts = {
  isFresh: (userId: string, sessionId: string) => Promise<boolean>
  makeRecoveryCodes: (userId: string, caller: Caller) => Promise<string[]>
  countRecoveryCodes: (userId: string) => Promise<number>
  listPasskeys: (userId: string) => Promise<Passkey[]>
  renamePasskey: (userId: string, passkeyId: string, name: string) => Promise<Passkey | undefined>
  listSessions: (userId: string) => Promise<Omit<Session, 'isThisOne'>[]>
  endSession: (userId: string, sessionId: string, caller: Caller) => Promise<boolean>
  listEvents: (userId: string, page: { before: string | undefined; limit: number }) => Promise<SecurityEvent[]>
  recordChange: NonNullable<PersonalTokenPorts['recordChange']>
  exportData: (userId: string, caller: Caller) => Promise<Record<string, unknown> | undefined>
}

const FRESH_SECONDS = 15 * 60
const SIGN_IN_AGAIN = 'Please sign in again to do this'

/**
 * For calls that a stolen session must not make: the user must have signed in just now.
 * @throws {Problem} FORBIDDEN if the sign-in is more than a quarter of an hour old.
 */
export async function requireFreshSignIn(account: AccountPorts, { userId, sessionId }: User): Promise<void> {
  const isFresh = sessionId !== undefined && (await account.isFresh(userId, sessionId))
  if (!isFresh) throw new Problem('FORBIDDEN', SIGN_IN_AGAIN)
}

/**
 * The same for accounts whose tokens name the time of the sign-in.
 * @throws {Problem} FORBIDDEN if the sign-in is more than a quarter of an hour old.
 */
export function requireRecentSignIn(clock: Clock, { authTime = 0 }: User): void {
  if (authTime < epochSeconds(clock) - FRESH_SECONDS) throw new Problem('FORBIDDEN', SIGN_IN_AGAIN)
}

/** New recovery codes, which replace all earlier ones. @throws {Problem} FORBIDDEN if the sign-in is not recent. */
export async function makeRecoveryCodes(
  account: AccountPorts,
  user: User,
  caller: Caller,
): Promise<{ codes: string[] }> {
  await requireFreshSignIn(account, user)
  return { codes: await account.makeRecoveryCodes(user.userId, caller) }
}

/** How many unused recovery codes the user has. */
export async function countRecoveryCodes(account: AccountPorts, user: User): Promise<{ left: number }> {
  return { left: await account.countRecoveryCodes(user.userId) }
}

export async function listPasskeys(account: AccountPorts, user: User): Promise<{ passkeys: Passkey[] }> {
  return { passkeys: await account.listPasskeys(user.userId) }
}

/** @throws {Problem} NOT_FOUND if the user has no such passkey. */
export async function renamePasskey(
  account: AccountPorts,
  user: User,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<Passkey> {
  const renamed = await account.renamePasskey(user.userId, passkeyId, name)
  if (!renamed) throw new Problem('NOT_FOUND', 'You have no such passkey')
  return renamed
}

export async function listSessions(account: AccountPorts, user: User): Promise<{ sessions: Session[] }> {
  const sessions = await account.listSessions(user.userId)
  return { sessions: sessions.map((session) => ({ ...session, isThisOne: session.sessionId === user.sessionId })) }
}

/** @throws {Problem} NOT_FOUND if the user has no such sign-in, or it has ended. */
export async function endSession(account: AccountPorts, user: User, sessionId: string, caller: Caller): Promise<void> {
  const hasEnded = await account.endSession(user.userId, sessionId, caller)
  if (!hasEnded) throw new Problem('NOT_FOUND', 'This sign-in has ended')
}

/** A page of the security events of an account. Its token is the id of its last event. */
export async function listSecurityEvents(
  account: AccountPorts,
  user: User,
  { limit, nextToken }: { limit: number; nextToken?: string | undefined },
): Promise<SecurityEventsPage> {
  const before = placeOf(nextToken, idIn)
  const events = await account.listEvents(user.userId, { before, limit: limit + 1 })
  const page = pageOf(events, limit, ({ eventId }) => eventId)
  return { events: page.shown, nextToken: page.nextToken }
}
