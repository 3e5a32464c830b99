import { recordEvent } from '../../base/audit/record-event.ts'
import { CognitoError, commitOrRefuse } from '../../base/errors/refusals.ts'
import { nameKey } from '../../base/names.ts'
import type { EventPorts, Pool } from '../../base/ports.ts'
import type { UserRow } from '../../base/tables.ts'
import { burnCode, keepCode, newCode } from '../../parts/codes/code.ts'
import { mayReset, resolveAccount } from '../../parts/users/account.ts'
import { claimLoginName, removePendingEmail } from '../../parts/users/login-name-store.ts'
import { confirmUser, findUserBySub, lockUser } from '../../parts/users/user-store.ts'
import { removeUser } from '../account/remove-user.ts'
import { countUsers, listUsers } from './admin-store.ts'

type Ports = EventPorts &
  Pick<Pool, 'database' | 'endedSessions' | 'id' | 'keyring' | 'onUserConfirmed' | 'onUserDeleted'>

const PAGE = 500

/** A user as an operator sees one; times are ISO texts. */
export type Entry = {
  userId: string
  username: string
  email: string
  emailIsVerified: boolean
  status: UserRow['status']
  isEnabled: boolean
  createdAt: string
  signedInAt: string | null
}

/** Lists users and the operator actions that Amazon has no operation for. Users are named by id. */
export type Directory = {
  /** All users, in no particular order. */
  list: () => AsyncGenerator<Entry>
  /** By id, username or address. */
  find: (name: string) => Promise<Entry | undefined>
  count: () => Promise<{ all: number; confirmed: number; disabled: number }>
  /** Marks the address as verified. Returns what prevents it, if anything. */
  confirm: (userId: string) => Promise<'not-waiting' | 'address-taken' | undefined>
  /** A password reset code, as the mail would contain it; undefined for a user who may not reset their password. */
  makeResetCode: (userId: string) => Promise<string | undefined>
  /** Removes the user with all data; false if there is none. */
  remove: (userId: string) => Promise<boolean>
}

export function createDirectory(pool: Ports): Directory {
  const db = pool.database.read
  return {
    list: async function* list() {
      for (let after = ''; ;) {
        const page = await listUsers(db, { after, limit: PAGE })
        yield* page.map(entryOf)
        const last = page.at(-1)
        if (!last || page.length < PAGE) return
        after = last.sub
      }
    },
    find: async (name) => {
      // An id is that of its user, also if another user has it as username.
      const user = (await findUserBySub(db, nameKey(name))) ?? (await resolveAccount(pool, name)).user
      return user && entryOf(user)
    },
    count: async () => {
      const rows = await countUsers(db)
      const sum = (of: typeof rows) => of.reduce((total, { users }) => total + users, 0)
      return {
        all: sum(rows),
        confirmed: sum(rows.filter(({ status }) => status !== 'UNCONFIRMED')),
        disabled: sum(rows.filter(({ enabled }) => enabled === 0)),
      }
    },
    confirm: async (userId) => await confirmByHand(pool, userId),
    makeResetCode: async (userId) => {
      const user = await findUserBySub(db, userId)
      if (!user || !mayReset(user)) return undefined
      const { sub } = user
      const code = newCode(pool, 'reset')
      await pool.database.transaction(async (trx) => {
        await keepCode(pool, trx, { sub, purpose: 'reset', code })
        await recordEvent(pool, trx, user, 'admin-made-reset-link')
      })
      pool.mail.wake()
      return code
    },
    remove: async (userId) => {
      if (!(await findUserBySub(db, userId))) return false
      await removeUser(pool, userId)
      return true
    },
  }
}

async function confirmByHand(
  pool: EventPorts & Pick<Pool, 'database' | 'onUserConfirmed'>,
  userId: string,
): Promise<'not-waiting' | 'address-taken' | undefined> {
  try {
    const confirmed = await commitOrRefuse(pool, async (trx) => {
      const user = await lockUser(trx, userId)
      if (user?.status !== 'UNCONFIRMED') return undefined
      const { sub, username, email_key: emailKey } = user
      const isFree = await claimLoginName(trx, { nameKey: emailKey, sub, kind: 'email' })
      if (!isFree) return new CognitoError('AliasExistsException', 'An account with the email already exists.')
      await confirmUser(trx, sub, pool.clock.now().toISOString())
      await burnCode(pool, trx, sub, 'sign-up')
      await removePendingEmail(trx, emailKey, sub)
      await recordEvent(pool, trx, { ...user, email_verified: 1 }, 'admin-confirmed-account')
      // The operator decides, also if the invitation is used up.
      return await pool.onUserConfirmed(trx, { sub, username })
    })
    if (!confirmed) return 'not-waiting'
    confirmed.afterCommit()
    pool.mail.wake()
    return undefined
  } catch (error) {
    if (error instanceof CognitoError) return 'address-taken'
    throw error
  }
}

function entryOf(user: UserRow): Entry {
  return {
    userId: user.sub,
    username: user.username,
    email: user.email,
    emailIsVerified: user.email_verified === 1,
    status: user.status,
    isEnabled: user.enabled === 1,
    createdAt: user.created_at,
    signedInAt: user.signed_in_at,
  }
}
