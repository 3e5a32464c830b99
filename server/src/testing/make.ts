import type { Card, CardStatus } from '@marquee/contract/entities/card'
import type { Night } from '@marquee/contract/entities/night'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import { systemRandom } from '@marquee/platform/runtime/random'

import { insertMember, type WatchlistTables } from '../rooms/club/watchlists/store.ts'
import { type Caller, callOk } from './call.ts'
import type { TestApp } from './start-app.ts'
import { register } from './test-accounts.ts'
import { nextMillisecond, testClock } from './test-clock.ts'

/** A new user with an address, who is found by username. */
export function aUser(username = 'ana'): Caller {
  const user = { userId: systemRandom.uuid(), username }
  register({ ...user, email: emailOf(user) })
  return user
}

export function emailOf({ userId }: Caller): string {
  return `${userId}@example.org`
}

/** A watchlist of its owner, with these members, who join in this order, and movies of these titles in its box. */
export async function aWatchlist(
  app: Pick<TestApp, 'app' | 'database'>,
  {
    owner = aUser(),
    members = [],
    isPrivate = false,
    box = [],
  }: { owner?: Caller; members?: Caller[]; isPrivate?: boolean; box?: readonly string[] } = {},
): Promise<{ watchlist: Watchlist; owner: Caller }> {
  const watchlist = await callOk(app, ENDPOINTS.createWatchlist, owner, { body: { name: 'Friday films' } })
  const joinedAt: string[] = []
  for (const _member of members) {
    nextMillisecond()
    joinedAt.push(testClock.now().toISOString())
  }
  await app.database.transaction(async (trx) => {
    for (const [n, { userId, username }] of members.entries()) {
      const member = { watchlist_id: watchlist.id, user_id: userId, username, joined_at: joinedAt[n] ?? '' }
      await insertMember(trx, member)
    }
  })
  if (isPrivate) {
    await app.database.withTables<WatchlistTables>().transaction(async (trx) => {
      await trx.updateTable('watchlist').set({ is_private: 1 }).where('id', '=', watchlist.id).execute()
    })
  }
  for (const title of box) await aCard(app, { inside: watchlist, by: owner, title })
  return { watchlist, owner }
}

/** A card in this status, reached through the calls of a member. */
export async function aCard(
  app: Pick<TestApp, 'app'>,
  { inside, by, status = 'SUGGESTED', title = 'Paris, Texas' }: CardOptions,
): Promise<Card> {
  const params = { watchlistId: inside.id }
  const body = { title, image: 'https://example.org/poster.jpg', revealImmediately: status !== 'SUGGESTED' }
  const card = await callOk(app, ENDPOINTS.addCard, by, { params, body })
  if (status === 'SUGGESTED' || status === 'REVEALED') return card
  return await callOk(app, ENDPOINTS.moveCard, by, { params: { ...params, cardId: card.id }, body: { status } })
}

type CardOptions = { inside: Pick<Watchlist, 'id'>; by: Caller; status?: CardStatus; title?: string }

/** A night as mails show it, without a database. */
export function aPlannedNight(facts: Partial<Night>): Night {
  return {
    id: 'w1_n1',
    watchlistId: 'w1',
    state: 'planned',
    times: [{ startsAt: '2026-11-27T19:00:00.000Z', localTime: '2026-11-27T20:00', answers: [] }],
    timeZone: 'Europe/Berlin',
    place: null,
    note: null,
    maxRuntimeMinutes: null,
    createdBy: 'Ana María',
    createdAt: '2026-11-20T18:34:15.000Z',
    startedAt: null,
    endedAt: null,
    present: [],
    guests: [],
    joinCode: null,
    allowsManyGuests: false,
    ...facts,
  }
}
