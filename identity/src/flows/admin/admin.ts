import { inFuture } from '@marquee/platform/runtime/clock'
import { DAY_MS } from '@marquee/platform/runtime/durations'

import type { EventKind } from '../../base/events/event-kinds.ts'
import { recordEvent } from '../../base/audit/record-event.ts'
import { CognitoError, commitOrRefuse, invalidParameter } from '../../base/errors/refusals.ts'
import { enteredName, isEmailAddress, isNewUsername } from '../../base/names.ts'
import type { EventPorts, Pool } from '../../base/ports.ts'
import type { Db, UserRow } from '../../base/tables.ts'
import { removeCodesSentTo } from '../../parts/codes/code-store.ts'
import { addNewUser, findUserByUsername, newUserRow } from '../../parts/users/account.ts'
import { claimLoginName } from '../../parts/users/login-name-store.ts'
import { checkPasswordPolicy, passwordColumns } from '../../parts/users/password.ts'
import { endSessionsOf } from '../../sign-in/end-sessions.ts'
import { voidPassword, giveTemporaryPassword, setEnabled } from './admin-store.ts'

type Ports = EventPorts & Pick<Pool, 'database' | 'endedSessions' | 'id' | 'keyring' | 'name' | 'onSessionsEnded'>

const TEMPORARY_MS = 7 * DAY_MS

/**
 * The actions of operators. Every change ends the sessions of the user and notifies them by mail; errors are
 * CognitoErrors. Earlier reset codes and links are void once the password is replaced or the account disabled.
 */
export type Admin = {
  /** Adds a user with a verified address and a temporary password, valid for 7 days. Returns the `sub`. */
  createUser: (made: { username: string; email: string; temporaryPassword: string }) => Promise<string>
  /** Sets a temporary password, valid for 7 days, which the user must replace at the next sign-in. */
  setTemporaryPassword: (username: string, password: string) => Promise<void>
  /** Voids the password until it is reset by mail. */
  requirePasswordReset: (username: string) => Promise<void>
  disableUser: (username: string) => Promise<void>
  enableUser: (username: string) => Promise<void>
}

export function createAdmin(pool: Ports): Admin {
  const change = async (
    username: string,
    kind: EventKind,
    work: (trx: Db, sub: string, now: string) => Promise<unknown>,
  ) => {
    const user = await getUser(pool, username)
    const { sub } = user
    const now = pool.clock.now().toISOString()
    const ended = await pool.database.transaction(async (trx) => {
      await work(trx, sub, now)
      await recordEvent(pool, trx, user, kind)
      return await endSessionsOf(pool, trx, sub, { now })
    })
    pool.endedSessions.add(ended)
    pool.mail.wake()
  }
  const temporaryUntil = () => inFuture(pool.clock, TEMPORARY_MS).toISOString()
  return {
    createUser: async (made) => await createUser(pool, made, temporaryUntil()),
    setTemporaryPassword: async (username, password) => {
      checkPasswordPolicy(password)
      await change(username, 'admin-set-password', async (trx, sub, now) => {
        await giveTemporaryPassword(trx, sub, passwordColumns(pool, sub, password), { now, until: temporaryUntil() })
        await removeCodesSentTo(trx, 'email', sub)
      })
    },
    requirePasswordReset: async (username) => await change(username, 'admin-required-reset', voidPassword),
    disableUser: async (username) => {
      await change(username, 'admin-disabled-account', async (trx, sub) => {
        await setEnabled(trx, sub, 0)
        await removeCodesSentTo(trx, 'email', sub)
      })
    },
    enableUser: async (username) => {
      await change(username, 'admin-enabled-account', async (trx, sub) => await setEnabled(trx, sub, 1))
    },
  }
}

async function createUser(
  pool: EventPorts & Pick<Pool, 'database' | 'id' | 'keyring' | 'name'>,
  { temporaryPassword: password, ...made }: { username: string; email: string; temporaryPassword: string },
  until: string,
): Promise<string> {
  const confirmed = verifiedUserRow(pool, { ...made, password })
  const user = { ...confirmed, status: 'FORCE_CHANGE_PASSWORD', temporary_until: until } as const
  await commitOrRefuse(pool, async (trx) => {
    const refusal = await addVerifiedUser(trx, user)
    if (refusal) return refusal
    await recordEvent(pool, trx, user, 'admin-made-account')
    return undefined
  })
  pool.mail.wake()
  return user.sub
}

/** @throws {CognitoError} if the username, the address or the password is refused. */
export function verifiedUserRow(
  pool: Pick<Pool, 'clock' | 'id' | 'keyring' | 'name' | 'random'>,
  { email, password, ...made }: { username: string; email: string; password: string },
): UserRow {
  const username = enteredName(made.username)
  if (!isNewUsername(username)) throw invalidParameter('Invalid username.')
  if (!isEmailAddress(email)) throw invalidParameter('Invalid email address format.')
  checkPasswordPolicy(password)
  const row = newUserRow(pool, { sub: pool.random.uuid(), username, email, password })
  return { ...row, status: 'CONFIRMED', email_verified: 1 }
}

/** Adds a user who may sign in with the address. Returns the refusal of a username that is taken. */
export async function addVerifiedUser(trx: Db, user: UserRow): Promise<CognitoError | undefined> {
  const refusal = await addNewUser(trx, user)
  if (refusal) return refusal
  if (!(await claimLoginName(trx, { nameKey: user.email_key, sub: user.sub, kind: 'email' }))) {
    // Thrown, so that the transaction rolls back.
    throw new CognitoError('AliasExistsException', 'An account with the email already exists.')
  }
  return undefined
}

/** @throws UserNotFoundException when no user with a verified address has that username. */
async function getUser(pool: Pick<Pool, 'database'>, username: string): Promise<UserRow> {
  const user = await findUserByUsername(pool.database.read, username)
  if (user && user.status !== 'UNCONFIRMED') return user
  throw new CognitoError('UserNotFoundException', 'User does not exist.')
}
