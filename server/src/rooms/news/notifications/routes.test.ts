import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { withTables } from '@marquee/platform/database/database'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { removePersonAt } from '../../../remove-person.ts'
import { allAnnounced } from '../../../testing/all-announced.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp } from '../../../testing/start-app.ts'
import { insertNotifications, type NotificationTables } from './store.ts'

type Scene = { watchlist: Watchlist; ana: Caller; ben: Caller; cleo: Caller }

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const theApp = anApp(theDatabase, { clock })

  async function aScene(): Promise<Scene> {
    const name = aUser().userId.slice(0, 8)
    const [ana, ben, cleo] = [aUser(`ana ${name}`), aUser(`ben ${name}`), aUser(`cleo ${name}`)]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] })
    return { watchlist, ana, ben, cleo }
  }

  const list = async (user: Caller) =>
    (await callOk(theApp(), ENDPOINTS.listNotifications, user, { query: { limit: 50 } })).notifications
  const kinds = async (user: Caller) => (await list(user)).map(({ kind }) => kind)
  const unread = async (user: Caller) => (await callOk(theApp(), ENDPOINTS.countUnread, user)).unread
  const settled = async ({ watchlist: { id } }: Pick<Scene, 'watchlist'>) =>
    await allAnnounced(theDatabase(), clock, id)
  const shown = async ({ watchlist, ana }: Scene) =>
    await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })

  test('a notification names the member, the watchlist and the card', async () => {
    const given = await aScene()
    const card = await shown(given)
    await settled(given)

    const [notification] = await list(given.ben)

    expect(notification).toEqual({
      id: expect.any(String) as string,
      kind: 'revealed',
      watchlistId: given.watchlist.id,
      watchlistName: 'Friday films',
      by: given.ana.username,
      cardId: card.id,
      cardTitle: 'Paris, Texas',
      startsAt: null,
      createdAt: expect.any(String) as string,
      isRead: false,
    })
  })

  test('putting a card back hides its notification until the next reveal, and only one counts as unread', async () => {
    const given = await aScene()
    const params = { watchlistId: given.watchlist.id, cardId: (await shown(given)).id }
    await settled(given)
    expect(await unread(given.ben)).toBe(1)

    await callOk(theApp(), ENDPOINTS.moveCard, given.ana, { params, body: { status: 'SUGGESTED' } })
    expect([await list(given.ben), await unread(given.ben)]).toEqual([[], 0])

    await callOk(theApp(), ENDPOINTS.revealRandomCard, given.ana, { params })
    await settled(given)
    expect([await kinds(given.ben), await unread(given.ben)]).toEqual([['revealed', 'revealed'], 1])
  })

  test('notifications about cards that were put back leave no gap in a page', async () => {
    const given = await aScene()
    const oldest = await shown(given)
    for (let n = 0; n < 3; n += 1) {
      const params = { watchlistId: given.watchlist.id, cardId: (await shown(given)).id }
      await settled(given)
      await callOk(theApp(), ENDPOINTS.moveCard, given.ana, { params, body: { status: 'SUGGESTED' } })
    }

    const page = await callOk(theApp(), ENDPOINTS.listNotifications, given.ben, { query: { limit: 1 } })

    expect([page.notifications.map(({ cardId }) => cardId), page.nextToken]).toEqual([[oldest.id], null])
  })

  test('notifications are dropped only for changes that the user saw on the open page', async () => {
    const given = await aScene()
    const elsewhere = { ...given, ...(await aWatchlist(theApp(), { owner: given.ana, members: [given.ben] })) }
    await shown(given)
    await settled(given)
    clock.moveAhead(60_000)
    const seen = await shown(given)
    const body = { content: 'Who put this in?' }
    const params = { watchlistId: given.watchlist.id, cardId: seen.id }
    // A comment notifies who has commented when it is announced.
    for (const by of [given.cleo, given.ben, given.cleo]) {
      await callOk(theApp(), ENDPOINTS.addComment, by, { params, body })
      await settled(given)
    }
    await shown(elsewhere)
    await settled(elsewhere)

    const page = { watchlistId: given.watchlist.id, forMs: 30_000 }
    const { unread: left } = await callOk(theApp(), ENDPOINTS.seeNotifications, given.ben, { body: page })

    expect(left).toBe(3)
    expect((await list(given.ben)).map(({ kind, watchlistId }) => [kind, watchlistId === given.watchlist.id])).toEqual([
      ['revealed', false],
      ['commented', true],
      ['revealed', true],
    ])
    // Others have their own.
    expect(await kinds(given.cleo)).toEqual(['commented', 'revealed', 'revealed'])
  })

  test('an invitation notifies the invitee, and joining then notifies the members', async () => {
    const given = await aScene()
    const dora = aUser(`dora ${given.ana.username}`)
    const params = { watchlistId: given.watchlist.id }
    await callOk(theApp(), ENDPOINTS.inviteUser, given.ana, { params, body: { username: dora.username } })
    await settled(given)
    expect(await kinds(dora)).toEqual(['invited'])
    // The bell counts the invitation itself.
    expect(await unread(dora)).toBe(0)

    await callOk(theApp(), ENDPOINTS.acceptReceivedInvitation, dora, { params })
    await settled(given)

    expect(await unread(dora)).toBe(0)
    expect([await kinds(dora), await kinds(given.ana), await kinds(given.ben)]).toEqual([
      ['invited'],
      ['joined'],
      ['joined'],
    ])
  })

  test('a withdrawn invitation leaves no notification', async () => {
    const given = await aScene()
    const dora = aUser(`dora ${given.ana.username}`)
    const params = { watchlistId: given.watchlist.id, username: dora.username }
    await callOk(theApp(), ENDPOINTS.inviteUser, given.ana, { params, body: { username: dora.username } })
    await settled(given)

    await callOk(theApp(), ENDPOINTS.withdrawInvitation, given.ana, { params })

    expect(await kinds(dora)).toEqual([])
    expect(await unread(dora)).toBe(0)
  })

  test('joining by a link notifies the members', async () => {
    const given = await aScene()
    const { token } = await callOk(theApp(), ENDPOINTS.createJoinLink, given.ana, {
      params: { watchlistId: given.watchlist.id },
      body: { days: 7, maxUses: 10 },
    })

    await callOk(theApp(), ENDPOINTS.joinByLink, aUser(`dora ${given.ana.username}`), { body: { token } })
    await settled(given)

    expect([await kinds(given.ana), await kinds(given.ben)]).toEqual([['joined'], ['joined']])
  })

  test('a member who leaves loses the notifications of the watchlist, and gets none until they join again', async () => {
    const given = await aScene()
    const before = await shown(given)
    await settled(given)
    expect(await unread(given.ben)).toBe(1)

    await callOk(theApp(), ENDPOINTS.removeMember, given.ben, {
      params: { watchlistId: given.watchlist.id, username: given.ben.username },
    })
    await shown(given)
    await settled(given)
    expect([await kinds(given.ben), await unread(given.ben), await unread(given.cleo)]).toEqual([[], 0, 2])

    const { token } = await callOk(theApp(), ENDPOINTS.inviteUser, given.ana, {
      params: { watchlistId: given.watchlist.id },
      body: { username: given.ben.username },
    })
    await callOk(theApp(), ENDPOINTS.acceptInvitation, given.ben, { body: { token } })
    await settled(given)
    expect((await list(given.ben)).map(({ cardId }) => cardId)).toEqual([before.id])
  })

  test('pages of notifications follow each other without gaps', async () => {
    const given = await aScene()
    for (let n = 0; n < 3; n += 1) await shown(given)
    await settled(given)
    const all = await list(given.ben)

    const first = await callOk(theApp(), ENDPOINTS.listNotifications, given.ben, { query: { limit: 2 } })
    const second = await callOk(theApp(), ENDPOINTS.listNotifications, given.ben, {
      query: { limit: 2, nextToken: first.nextToken ?? '' },
    })

    expect([...first.notifications, ...second.notifications]).toEqual(all)
    expect([all.length, second.nextToken]).toEqual([3, null])
  })

  test('a user can mark one notification as read, or all up to one', async () => {
    const given = await aScene()
    for (let n = 0; n < 3; n += 1) await shown(given)
    await settled(given)
    const [newest, middle, oldest] = await list(given.ben)

    const one = await callOk(theApp(), ENDPOINTS.readNotification, given.ben, {
      params: { notificationId: oldest?.id ?? '' },
    })
    const upTo = await callOk(theApp(), ENDPOINTS.readNotifications, given.ben, { body: { upTo: middle?.id ?? '' } })

    expect([one, upTo]).toEqual([{ unread: 2 }, { unread: 1 }])
    expect((await list(given.ben)).map(({ id, isRead }) => [id, isRead])).toEqual([
      [newest?.id, false],
      [middle?.id, true],
      [oldest?.id, true],
    ])
    // Those of others are theirs.
    const { status } = await call(theApp(), ENDPOINTS.readNotification, given.ana, {
      params: { notificationId: newest?.id ?? '' },
    })
    expect([status, await unread(given.cleo)]).toEqual([404, 3])
  })

  test.each([
    ['', 500],
    [', also after several were added at once', 506],
  ])('a user keeps the newest 500 notifications%s', async (_when, before) => {
    const { watchlist, ben, ana } = await aScene()
    const row = (n: number, { userId } = ben) => ({
      user_id: userId,
      id: `id-${String(n).padStart(4, '0')}`,
      watchlist_id: watchlist.id,
      kind: 'joined' as const,
      actor: 'ana',
      card_id: null,
      starts_at: null,
      created_at: '2026-01-01T00:00:00.000Z',
      is_read: 0,
      is_listed: 1,
    })
    await theDatabase().transaction(async (trx) => {
      const rows = Array.from({ length: before }, (_, n) => row(n))
      await withTables<NotificationTables>(trx).insertInto('notification').values(rows).execute()
      await insertNotifications(trx, [row(before), row(before, ana)])
      await insertNotifications(trx, [row(before + 1)])
    })

    expect(await unread(ben)).toBe(500)
    expect((await list(ben))[0]?.id).toBe(row(before + 1).id)
    expect((await list(ana)).map(({ id }) => id)).toContain(row(before).id)
  })

  test('deleting an account deletes its notifications', async () => {
    const given = await aScene()
    await shown(given)
    await settled(given)

    await theDatabase().transaction(async (trx) => {
      await removePersonAt(clock, systemRandom)(trx, given.ben.userId)
    })

    const rows = await theDatabase()
      .withTables<NotificationTables>()
      .read.selectFrom('notification')
      .select('id')
      .where('user_id', '=', given.ben.userId)
      .execute()
    expect(rows).toEqual([])
  })
})
