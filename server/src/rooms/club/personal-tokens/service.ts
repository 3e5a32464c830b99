import { crc32 } from 'node:zlib'

import type { NewPersonalToken, PersonalToken, TokenScope } from '@marquee/contract/entities/personal-token'
import { MAX_PERSONAL_TOKENS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { PERSONAL_TOKEN_PREFIX } from '@marquee/contract/rules/personal-token'
import type { Caller } from '@marquee/platform/http/caller'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { type Clock, epochSeconds, inFuture } from '@marquee/platform/runtime/clock'
import { DAY_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import { lockPerson, type User } from '../people/service.ts'
import { deleteTokens, findByHash, insertToken, listTokens, noteUse, type TokenRow } from './store.ts'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 30
const CHECKSUM_LENGTH = 6
/** For this long, an expired token is still listed. */
const EXPIRED_KEPT_MS = 30 * DAY_MS
/** A use is noted at most once in this time. */
const NOTED_MS = MINUTE_MS
const TOO_MANY = `You cannot have more than ${MAX_PERSONAL_TOKENS} personal tokens. Revoke one that you no longer use.`

export type PersonalTokenPorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly mail: { wake: () => void }
  /** Adds to the activity of the account and notifies its owner, in the same transaction. */
  readonly recordChange?: (
    trx: AnyDb,
    userId: string,
    kind: 'personal-token-made' | 'personal-token-revoked',
    caller: Caller,
  ) => Promise<void>
}

/** Creates a token. Only this reply has it. @throws {Problem} BAD_REQUEST if the user has too many. */
export async function createPersonalToken(
  ports: PersonalTokenPorts,
  { userId, username }: User,
  { name, scope, days }: { name: string; scope: TokenScope; days: number | null },
  caller: Caller,
): Promise<NewPersonalToken> {
  const token = newToken(ports.random)
  const now = ports.clock.now()
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const row: TokenRow = {
    user_id: userId,
    id: ports.random.uuid(),
    token_hash: hashOfSecret(token),
    username,
    name,
    scope,
    created_at: now.toISOString(),
    used_at: null,
    expires_at: days === null ? null : after(days * DAY_MS),
  }
  await ports.database.transaction(async (trx) => {
    await lockPerson(trx, { userId, username })
    await deleteTokens(trx, userId, { expiredBefore: after(-EXPIRED_KEPT_MS) })
    if ((await listTokens(trx, userId)).length >= MAX_PERSONAL_TOKENS) throw new Problem('BAD_REQUEST', TOO_MANY)
    await insertToken(trx, row)
    await ports.recordChange?.(trx, userId, 'personal-token-made', caller)
  })
  ports.mail.wake()
  return { ...present(row), token }
}

export async function listPersonalTokens(
  { database }: Pick<PersonalTokenPorts, 'database'>,
  { userId }: User,
): Promise<PersonalToken[]> {
  return (await listTokens(database.read, userId)).map(present)
}

/** @throws {Problem} NOT_FOUND if the user has no such token. */
export async function revokePersonalToken(
  ports: PersonalTokenPorts,
  { userId }: User,
  tokenId: string,
  caller: Caller,
): Promise<void> {
  await ports.database.transaction(async (trx) => {
    const deleted = await deleteTokens(trx, userId, { tokenId })
    if (deleted === 0) throw new Problem('NOT_FOUND', 'You have no such token')
    await ports.recordChange?.(trx, userId, 'personal-token-revoked', caller)
  })
  ports.mail.wake()
}

/** Revokes all tokens of a user, in the transaction that ends the sign-ins or deletes the account. */
export async function forgetTokens(trx: AnyDb, userId: string): Promise<void> {
  await deleteTokens(trx, userId)
}

export function isPersonalToken(token: string): boolean {
  return token.startsWith(PERSONAL_TOKEN_PREFIX)
}

/** The user of a token, with its expiry in seconds since 1970; undefined if it is unknown, revoked or expired. */
export async function findTokenUser(
  { database, clock, logger }: Pick<PersonalTokenPorts, 'database' | 'clock' | 'logger'>,
  token: string,
): Promise<(User & { tokenScope: TokenScope; expiresAt: number }) | undefined> {
  if (!hasRightChecksum(token)) return undefined
  // Read for each call, and not cached: a revoked token ends at once in all processes.
  const row = await findByHash(database.read, hashOfSecret(token))
  if (!row) return undefined
  const expiresAt = row.expires_at === null ? Infinity : Date.parse(row.expires_at) / 1000
  if (expiresAt <= epochSeconds(clock)) return undefined
  const since = inFuture(clock, -NOTED_MS).toISOString()
  if (row.used_at === null || row.used_at < since) {
    const times = { now: clock.now().toISOString(), since }
    await database
      .transaction(async (trx) => await noteUse(trx, row, times))
      // A full disk must not keep the call from reading.
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'the use of a personal token could not be noted')
      })
  }
  return { userId: row.user_id, username: row.username, tokenScope: row.scope, expiresAt }
}

function newToken(random: Random): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => LETTERS[random.below(LETTERS.length)]).join('')
  return `${PERSONAL_TOKEN_PREFIX}${secret}${checksumOf(secret)}`
}

/** Lets a scanner tell a token from a text that only looks like one. It does not protect the token. */
function checksumOf(secret: string): string {
  let rest = crc32(secret)
  let digits = ''
  for (let n = 0; n < CHECKSUM_LENGTH; n += 1) {
    digits = `${LETTERS[rest % LETTERS.length]}${digits}`
    rest = Math.floor(rest / LETTERS.length)
  }
  return digits
}

function hasRightChecksum(token: string): boolean {
  const secret = token.slice(PERSONAL_TOKEN_PREFIX.length, -CHECKSUM_LENGTH)
  return secret.length === SECRET_LENGTH && token.endsWith(checksumOf(secret))
}

function present(row: TokenRow): PersonalToken {
  const { id, name, scope } = row
  return { id, name, scope, createdAt: row.created_at, usedAt: row.used_at, expiresAt: row.expires_at }
}
