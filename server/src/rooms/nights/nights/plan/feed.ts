import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { DAY_MS } from '@marquee/platform/runtime/durations'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import { findLanguage, type User } from '../../../club/people/service.ts'
import { authorizeRead, changeWatchlist, findWatchlistNames } from '../../../club/watchlists/service.ts'
import { deleteFeed, findFeedOwner, findFeedTime, saveFeed } from './feed-store.ts'
import { hasEntry, presentNight } from '../night/present.ts'
import type { NightMailPorts } from './mails.ts'
import { listCurrent } from '../night/store.ts'

const TOKEN_BYTES = 32
/** A token is the id of the watchlist, an underscore, and 32 random bytes. */
const TOKEN = /^(?<watchlistId>[\w-]{1,64})_[\w-]{43}$/u
const PAST_DAYS = 30

/** When the caller's calendar address was made; null if there is none. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function findCalendar(
  { database: { read } }: NightMailPorts,
  user: User,
  watchlistId: string,
): Promise<string | null> {
  await authorizeRead(read, user, 'night.subscribe', watchlistId)
  return (await findFeedTime(read, { watchlistId, userId: user.userId })) ?? null
}

/** Makes a new secret address for the caller; an earlier one is void. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function makeCalendar(ports: NightMailPorts, user: User, watchlistId: string): Promise<string> {
  const token = `${watchlistId}_${ports.random.bytes(TOKEN_BYTES).toString('base64url')}`
  await changeWatchlist(ports, user, 'night.subscribe', { watchlistId }, async ({ trx, at: created_at }) => {
    await saveFeed(trx, {
      watchlist_id: watchlistId,
      user_id: user.userId,
      token_hash: hashOfSecret(token),
      created_at,
    })
  })
  return `${ports.publicUrl}/api/calendars/${token}`
}

/** Makes the caller's address void. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function endCalendar(ports: NightMailPorts, user: User, watchlistId: string): Promise<void> {
  await changeWatchlist(ports, user, 'night.subscribe', { watchlistId }, async ({ trx }) => {
    await deleteFeed(trx, { watchlistId, userId: user.userId })
  })
}

/**
 * The calendar behind a secret address, in its owner's language: the nights of the last 30 days, and those to come whose time is fixed.
 * @throws {Problem} NOT_FOUND.
 */
export async function readCalendar(
  { database: { read }, clock, nightCalendar }: NightMailPorts,
  token: string,
): Promise<string> {
  const watchlistId = TOKEN.exec(token)?.groups?.['watchlistId']
  if (watchlistId === undefined) throw new Problem('NOT_FOUND')
  const userId = await findFeedOwner(read, watchlistId, hashOfSecret(token))
  if (userId === undefined) throw new Problem('NOT_FOUND')
  const watchlistName = (await findWatchlistNames(read, [watchlistId])).get(watchlistId)
  if (watchlistName === undefined) throw new Problem('NOT_FOUND')
  const now = clock.now()
  const since = new Date(now.getTime() - PAST_DAYS * DAY_MS).toISOString()
  const entries = (await listCurrent(read, watchlistId, since, ['planned', 'open', 'ended']))
    .map((row) => ({ night: presentNight(row, now.toISOString()), revision: row.revision, updatedAt: row.updated_at }))
    .filter(({ night }) => hasEntry(night))
  const language = await findLanguage(read, userId)
  return nightCalendar({ language, watchlistName, entries, method: undefined })
}

/** Removes the addresses of former members. */
export async function deleteFeeds(trx: AnyDb, watchlistId: string, userIds: readonly string[]): Promise<void> {
  for (const userId of userIds) await deleteFeed(trx, { watchlistId, userId })
}
