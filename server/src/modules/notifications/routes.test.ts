import { expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { withTables } from '@marquee/platform/database/database'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../migrations/index.ts'
import { removePersonAt } from '../../remove-person.ts'
import { call, type Caller, callOk } from '../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../testing/make.ts'
import { movableClock } from '../../testing/movable-clock.ts'
import { anApp, startApp } from '../../testing/start-app.ts'
import { insertNotifications, type NotificationTables } from './store.ts'

const WITHIN = { timeout: 20_000, interval: 20 }
const HOUR_MS = 60 * 60_000

type Scene = { watchlist: Watchlist; ana: Caller; ben: Caller; cleo: Caller }

eachDatabase({ product: productMigrations }, (theDatabase) => {
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
  /** Waits until no activity of the watchlist is due: all notifications of the calls so far are made. */
  const settled = async ({ watchlist: { id } }: Pick<Scene, 'watchlist'>) =>
    await vi.waitFor(async () => {
      const due = await theDatabase()
        .withTables<NotificationTables>()
        .read.selectFrom('activity')
        .select('kind')
        .where('watchlist_id', '=', id)
        .where('due_at', '<=', clock.now().getTime())
        .execute()
      expect(due).toEqual([])
    }, WITHIN)
  /** The worker looks at the table after a change, and the test moves its clock. */
  const passTime = async (given: Scene, ms: number) => {
    clock.moveAhead(ms)
    await callOk(theApp(), ENDPOINTS.updateWatchlist, given.ana, {
      params: { watchlistId: given.watchlist.id },
      body: { name: 'Friday films' },
    })
    await settled(given)
  }

  const planned = async ({ watchlist, ana }: Scene, inMs: number) => {
    const start = new Date(clock.now().getTime() + inMs).toISOString().slice(0, 16)
    return await callOk(theApp(), ENDPOINTS.planNight, ana, {
      params: { watchlistId: watchlist.id },
      body: { times: [start], timeZone: 'UTC' },
    })
  }
  const shown = async ({ watchlist, ana, ben }: Scene, by: 'ana' | 'ben' = 'ana') =>
    await aCard(theApp(), { inside: watchlist, by: by === 'ana' ? ana : ben, status: 'REVEALED' })

  /** What each of the three members gets. Ana makes the last call of each. */
  const CASES: Record<
    string,
    { act: (given: Scene) => Promise<unknown>; ana?: string[]; ben: string[]; cleo: string[] }
  > = {
    'adding a card to the feed': {
      act: async (given) => await shown(given),
      ben: ['revealed'],
      cleo: ['revealed'],
    },
    'adding a card to the box': {
      act: async ({ watchlist, ana }) => await aCard(theApp(), { inside: watchlist, by: ana }),
      ben: [],
      cleo: [],
    },
    'drawing the card of another': {
      act: async ({ watchlist, ana, ben }) => {
        await aCard(theApp(), { inside: watchlist, by: ben })
        await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: { watchlistId: watchlist.id } })
      },
      ben: ['drawn'],
      cleo: ['revealed'],
    },
    'drawing in two steps': {
      act: async ({ watchlist, ana, ben }) => {
        const params = { watchlistId: watchlist.id }
        await aCard(theApp(), { inside: watchlist, by: ben })
        const { drawNumber } = await callOk(theApp(), ENDPOINTS.prepareDraw, ana, { params, body: {} })
        await callOk(theApp(), ENDPOINTS.revealDraw, ana, {
          params: { ...params, drawNumber: String(drawNumber) },
          body: { seeds: ['5e'.repeat(32)] },
        })
      },
      ben: ['drawn'],
      cleo: ['revealed'],
    },
    'accepting a card': {
      act: async (given) => {
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given)).id }
        await callOk(theApp(), ENDPOINTS.moveCard, given.ana, { params, body: { status: 'WATCHED' } })
        await passTime(given, 16_000)
      },
      ben: ['accepted', 'revealed'],
      cleo: ['accepted', 'revealed'],
    },
    'declining a card': {
      act: async (given) => {
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given)).id }
        await callOk(theApp(), ENDPOINTS.moveCard, given.ana, { params, body: { status: 'REJECTED' } })
        await passTime(given, 16_000)
      },
      ben: ['declined', 'revealed'],
      cleo: ['declined', 'revealed'],
    },
    'undoing a decision': {
      act: async (given) => {
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given)).id }
        await callOk(theApp(), ENDPOINTS.moveCard, given.ana, { params, body: { status: 'WATCHED' } })
        await callOk(theApp(), ENDPOINTS.undoMove, given.ana, { params })
        await passTime(given, 16_000)
      },
      ben: ['revealed'],
      cleo: ['revealed'],
    },
    'commenting on the card of another': {
      act: async (given) => {
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given, 'ben')).id }
        await callOk(theApp(), ENDPOINTS.addComment, given.ana, { params, body: { content: 'Tonight?' } })
      },
      ana: ['revealed'],
      ben: ['commented'],
      cleo: ['revealed'],
    },
    'commenting after another': {
      act: async (given) => {
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given)).id }
        await callOk(theApp(), ENDPOINTS.addComment, given.cleo, { params, body: { content: 'Tonight?' } })
        await callOk(theApp(), ENDPOINTS.addComment, given.ana, { params, body: { content: 'Tomorrow' } })
      },
      ana: ['commented'],
      ben: ['revealed'],
      cleo: ['commented', 'revealed'],
    },
    'mentioning a member': {
      act: async (given) => {
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given, 'ben')).id }
        const content = `@${given.cleo.username.toUpperCase()}, @${given.ana.username} and @eve?`
        await callOk(theApp(), ENDPOINTS.addComment, given.ana, { params, body: { content } })
      },
      ana: ['revealed'],
      ben: ['commented'],
      cleo: ['mentioned', 'revealed'],
    },
    'planning, changing and cancelling a night': {
      act: async (given) => {
        const night = { params: { nightId: (await planned(given, 72 * HOUR_MS)).id } }
        await callOk(theApp(), ENDPOINTS.changeNight, given.ana, {
          ...night,
          body: { times: ['2099-01-01T20:00'], timeZone: 'UTC' },
        })
        await callOk(theApp(), ENDPOINTS.cancelNight, given.ana, night)
        await settled(given)
        await passTime(given, 72 * HOUR_MS)
      },
      ben: ['night-cancelled', 'night-changed', 'night-planned'],
      cleo: ['night-cancelled', 'night-changed', 'night-planned'],
    },
    'a night that comes closer': {
      act: async (given) => {
        await planned(given, 30 * HOUR_MS)
        await settled(given)
        await passTime(given, 7 * HOUR_MS)
        await passTime(given, 22.9 * HOUR_MS)
      },
      ana: ['night-starting', 'night-tomorrow'],
      ben: ['night-starting', 'night-tomorrow', 'night-planned'],
      cleo: ['night-starting', 'night-tomorrow', 'night-planned'],
    },
    'a night that started early': {
      act: async (given) => {
        const { id } = await planned(given, 30 * HOUR_MS)
        await callOk(theApp(), ENDPOINTS.startNight, given.ana, { params: { nightId: id } })
        await passTime(given, 29.9 * HOUR_MS)
      },
      ben: ['night-planned'],
      cleo: ['night-planned'],
    },
    'reminders that were due during an outage': {
      act: async (given) => {
        await planned(given, 30 * HOUR_MS)
        await settled(given)
        await passTime(given, 31 * HOUR_MS)
      },
      ben: ['night-planned'],
      cleo: ['night-planned'],
    },
  }

  test.each(Object.entries(CASES))(
    '%s notifies those whom it concerns',
    async (_what, { act, ana = [], ...others }) => {
      const given = await aScene()

      await act(given)
      await settled(given)

      expect({ ana: await kinds(given.ana), ben: await kinds(given.ben), cleo: await kinds(given.cleo) }).toEqual({
        ana,
        ...others,
      })
    },
  )

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

  test('the title of a card that was put back stays secret', async () => {
    const given = await aScene()
    const params = { watchlistId: given.watchlist.id, cardId: (await shown(given)).id }
    await settled(given)

    await callOk(theApp(), ENDPOINTS.moveCard, given.ana, { params, body: { status: 'SUGGESTED' } })

    expect((await list(given.ben)).map(({ kind, cardTitle }) => [kind, cardTitle])).toEqual([['revealed', null]])
  })

  test('an invitee is notified until they join, and then the members', async () => {
    const given = await aScene()
    const dora = aUser(`dora ${given.ana.username}`)
    const params = { watchlistId: given.watchlist.id }
    await callOk(theApp(), ENDPOINTS.inviteUser, given.ana, { params, body: { username: dora.username } })
    await settled(given)
    expect(await kinds(dora)).toEqual(['invited'])
    expect(await unread(dora)).toBe(1)

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

  test('a member who leaves sees the notifications of the watchlist no more, and gets no new ones', async () => {
    const given = await aScene()
    await shown(given)
    await settled(given)
    expect(await unread(given.ben)).toBe(1)

    await callOk(theApp(), ENDPOINTS.removeMember, given.ben, {
      params: { watchlistId: given.watchlist.id, username: given.ben.username },
    })
    await shown(given)
    await settled(given)

    expect([await kinds(given.ben), await unread(given.ben), await unread(given.cleo)]).toEqual([[], 0, 2])
  })

  test('pages follow each other without a gap', async () => {
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

  test('notifications are marked as read, one or all up to one', async () => {
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

  test('a user keeps the newest 500', async () => {
    const { watchlist, ben } = await aScene()
    const row = (n: number) => ({
      user_id: ben.userId,
      id: `id-${String(n).padStart(4, '0')}`,
      watchlist_id: watchlist.id,
      kind: 'joined' as const,
      actor: 'ana',
      card_id: null,
      starts_at: null,
      created_at: '2026-01-01T00:00:00.000Z',
      is_read: 0,
    })
    await theDatabase().transaction(async (trx) => {
      const rows = Array.from({ length: 500 }, (_, n) => row(n))
      await withTables<NotificationTables>(trx).insertInto('notification').values(rows).execute()
      await insertNotifications(trx, [row(500)])
      await insertNotifications(trx, [row(501)])
    })

    expect(await unread(ben)).toBe(500)
    expect((await list(ben))[0]?.id).toBe('id-0501')
  })

  test('deleting an account deletes its notifications', async () => {
    const given = await aScene()
    await shown(given)
    await settled(given)

    await theDatabase().transaction(async (trx) => {
      await removePersonAt(clock)(trx, given.ben.userId)
    })

    const rows = await theDatabase()
      .withTables<NotificationTables>()
      .read.selectFrom('notification')
      .select('id')
      .where('user_id', '=', given.ben.userId)
      .execute()
    expect(rows).toEqual([])
  })

  test('two processes make each notification once', async () => {
    const second = await startApp(theDatabase(), { clock })
    const given = await aScene()
    await Promise.all(
      Array.from(
        { length: 6 },
        async (_, n) =>
          await aCard(n % 2 === 0 ? theApp() : second, { inside: given.watchlist, by: given.ana, status: 'REVEALED' }),
      ),
    )
    await settled(given)
    await second.stop()

    expect([await unread(given.ben), await unread(given.cleo)]).toEqual([6, 6])
  })
})
