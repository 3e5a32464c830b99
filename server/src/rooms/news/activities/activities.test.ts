import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { WEBHOOK_KINDS } from '@marquee/contract/entities/webhook'
import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { allAnnounced } from '../../../testing/all-announced.ts'
import { type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp, startApp, type TestApp } from '../../../testing/start-app.ts'
import { testPorts } from '../../../testing/test-ports.ts'
import type { NotificationTables } from '../notifications/store.ts'
import type { WebhookTables } from '../webhooks/store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type Scene = { app: TestApp; watchlist: Watchlist; ana: Caller; ben: Caller; cleo: Caller }

eachStatement<NotificationTables & WebhookTables>({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const webhookFetch = { lookup: async () => ['127.0.0.1'], allowAddress: () => true, allowPort: () => true }
  // All processes of an installation have the same keys: without them, one would switch the webhook off.
  const { webhookKeys } = testPorts(systemRandom.bytes(32))
  const theApp = anApp(() => theDatabase().withTables(), { clock, webhookKeys, webhookFetch })
  /** Records activities that the other app announces once it is a minute later, and not between two calls of a test. */
  const quietApp = anApp(() => theDatabase().withTables(), {
    clock: { now: () => new Date(clock.now().getTime() + MINUTE_MS) },
    webhookKeys,
    webhookFetch,
    announceAfterMs: 600_000,
  })

  async function aScene(app = theApp()): Promise<Scene> {
    const name = aUser().userId.slice(0, 8)
    const [ana, ben, cleo] = [aUser(`ana ${name}`), aUser(`ben ${name}`), aUser(`cleo ${name}`)]
    const { watchlist } = await aWatchlist(app, { owner: ana, members: [ben, cleo] })
    const service = await aWebServer((_request, response) => {
      response.writeHead(204).end()
    })
    const url = `http://chat.example:${service.port}/hook`
    await callOk(app, ENDPOINTS.createWebhook, ana, {
      params: { watchlistId: watchlist.id },
      body: { name: 'Chat', url, format: 'slack', kinds: WEBHOOK_KINDS },
    })
    return { app, watchlist, ana, ben, cleo }
  }

  const settled = async ({ watchlist: { id } }: Scene) => await allAnnounced(theDatabase().withTables(), clock, id)
  const kinds = async (user: Caller) =>
    (await callOk(theApp(), ENDPOINTS.listNotifications, user, { query: { limit: 50 } })).notifications.map(
      ({ kind }) => kind,
    )
  /** Of the messages of all webhooks, in the order of the changes. */
  const reported = async ({ watchlist: { id } }: Scene) => {
    const rows = theDatabase().read.selectFrom('webhook_delivery').select('kind').where('watchlist_id', '=', id)
    return (await rows.orderBy('id').execute()).map(({ kind }) => kind)
  }
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
  const shown = async ({ app, watchlist, ana, ben }: Scene, by: 'ana' | 'ben' = 'ana') =>
    await aCard(app, { inside: watchlist, by: by === 'ana' ? ana : ben, status: 'REVEALED' })

  /** What each of the three members is notified of, and what webhooks report. Ana makes the last call of each. */
  const CASES: Record<
    string,
    { act: (given: Scene) => Promise<unknown>; ana?: string[]; ben: string[]; cleo: string[]; webhooks: string[] }
  > = {
    'adding a card to the feed': {
      act: async (given) => await shown(given),
      ben: ['revealed'],
      cleo: ['revealed'],
      webhooks: ['card.revealed'],
    },
    'adding a card to the box': {
      act: async ({ watchlist, ana }) => await aCard(theApp(), { inside: watchlist, by: ana }),
      ben: [],
      cleo: [],
      webhooks: [],
    },
    'drawing the card of another': {
      act: async ({ watchlist, ana, ben }) => {
        await aCard(theApp(), { inside: watchlist, by: ben })
        await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: { watchlistId: watchlist.id } })
      },
      ben: ['drawn'],
      cleo: ['revealed'],
      webhooks: ['card.revealed'],
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
      webhooks: ['card.revealed'],
    },
    'accepting a card': {
      act: async (given) => {
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given)).id }
        await callOk(theApp(), ENDPOINTS.moveCard, given.ana, { params, body: { status: 'WATCHED' } })
        await passTime(given, 16_000)
      },
      ben: ['accepted', 'revealed'],
      cleo: ['accepted', 'revealed'],
      webhooks: ['card.revealed', 'card.decided'],
    },
    'declining a card': {
      act: async (given) => {
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given)).id }
        await callOk(theApp(), ENDPOINTS.moveCard, given.ana, { params, body: { status: 'REJECTED' } })
        await passTime(given, 16_000)
      },
      ben: ['declined', 'revealed'],
      cleo: ['declined', 'revealed'],
      webhooks: ['card.revealed', 'card.decided'],
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
      webhooks: ['card.revealed'],
    },
    'commenting on the card of another': {
      act: async (given) => {
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given, 'ben')).id }
        await callOk(theApp(), ENDPOINTS.addComment, given.ana, { params, body: { content: 'Tonight?' } })
      },
      ana: ['revealed'],
      ben: ['commented'],
      cleo: ['revealed'],
      webhooks: ['card.revealed', 'comment.added'],
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
      webhooks: ['card.revealed', 'comment.added', 'comment.added'],
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
      webhooks: ['card.revealed', 'comment.added'],
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
      webhooks: ['night.planned', 'night.changed', 'night.changed'],
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
      webhooks: ['night.planned'],
    },
    'a night that started early': {
      act: async (given) => {
        const { id } = await planned(given, 30 * HOUR_MS)
        await callOk(theApp(), ENDPOINTS.startNight, given.ana, { params: { nightId: id } })
        await passTime(given, 29.9 * HOUR_MS)
      },
      ben: ['night-planned'],
      cleo: ['night-planned'],
      webhooks: ['night.planned', 'night.started'],
    },
    'reminders that were due during an outage': {
      act: async (given) => {
        await planned(given, 30 * HOUR_MS)
        await settled(given)
        await passTime(given, 31 * HOUR_MS)
      },
      ben: ['night-planned'],
      cleo: ['night-planned'],
      webhooks: ['night.planned'],
    },
    'an outage until five minutes before a night': {
      act: async (given) => {
        await planned(given, 30 * HOUR_MS)
        await settled(given)
        await passTime(given, 30 * HOUR_MS - 5 * 60_000)
      },
      ana: ['night-starting'],
      ben: ['night-starting', 'night-planned'],
      cleo: ['night-starting', 'night-planned'],
      webhooks: ['night.planned'],
    },
    'drawing a shortlist and voting': {
      act: async ({ watchlist, ana, ben }) => {
        const params = { watchlistId: watchlist.id }
        for (let n = 0; n < 3; n += 1) await aCard(theApp(), { inside: watchlist, by: ben })
        const night = { params: { nightId: (await callOk(theApp(), ENDPOINTS.openNight, ana, { params })).id } }
        const draw = { params, body: { picks: 3 } }
        const { drawNumber } = await callOk(theApp(), ENDPOINTS.prepareDraw, ana, draw)
        const seeds = ['5e'.repeat(32)]
        await callOk(theApp(), ENDPOINTS.openVote, ana, { ...night, body: { drawNumber, seeds } })
        const { cards } = await callOk(theApp(), ENDPOINTS.listCards, ana, { params })
        const scores = Object.fromEntries(cards.map(({ id }, n) => [id, n === 0 ? 2 : 0]))
        await callOk(theApp(), ENDPOINTS.castBallot, ana, { ...night, body: { drawNumber, scores, veto: null } })
      },
      ben: ['drawn'],
      cleo: ['revealed'],
      webhooks: ['night.started', 'card.revealed'],
    },
    'starting a night without a plan': {
      act: async ({ watchlist, ana }) =>
        await callOk(theApp(), ENDPOINTS.openNight, ana, { params: { watchlistId: watchlist.id } }),
      ben: [],
      cleo: [],
      webhooks: ['night.started'],
    },
    'putting a card back at once': {
      act: async (theirs) => {
        const given = { ...theirs, app: quietApp() }
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given)).id }
        await callOk(given.app, ENDPOINTS.moveCard, given.ana, { params, body: { status: 'SUGGESTED' } })
        await passTime(given, MINUTE_MS)
      },
      ben: [],
      cleo: [],
      webhooks: [],
    },
    'deleting a comment at once': {
      act: async (theirs) => {
        const given = { ...theirs, app: quietApp() }
        const params = { watchlistId: given.watchlist.id, cardId: (await shown(given, 'ben')).id }
        const { commentId } = await callOk(given.app, ENDPOINTS.addComment, given.ana, {
          params,
          body: { content: 'Tonight?' },
        })
        await callOk(given.app, ENDPOINTS.deleteComment, given.ana, { params: { ...params, commentId } })
        await passTime(given, MINUTE_MS)
      },
      ana: ['revealed'],
      ben: [],
      cleo: ['revealed'],
      webhooks: ['card.revealed'],
    },
    'an invitation that is accepted': {
      act: async (given) => {
        const params = { watchlistId: given.watchlist.id }
        const dora = aUser(`dora ${given.ana.username}`)
        await callOk(theApp(), ENDPOINTS.inviteUser, given.ana, { params, body: { username: dora.username } })
        await callOk(theApp(), ENDPOINTS.acceptReceivedInvitation, dora, { params })
      },
      ana: ['joined'],
      ben: ['joined'],
      cleo: ['joined'],
      webhooks: ['member.joined'],
    },
  }

  test.each(Object.entries(CASES))(
    '%s notifies only the members and webhooks concerned',
    async (_what, { act, ana = [], ...others }) => {
      const given = await aScene()

      await act(given)
      await settled(given)

      expect({
        ana: await kinds(given.ana),
        ben: await kinds(given.ben),
        cleo: await kinds(given.cleo),
        webhooks: await reported(given),
      }).toEqual({ ana, ...others })
    },
  )

  test('two processes announce each activity once', { tags: ['race'] }, async () => {
    const second = await startApp(theDatabase().withTables(), { clock, webhookKeys, webhookFetch })
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

    const sixTimes = (what: string) => Array.from({ length: 6 }, () => what)
    expect([await kinds(given.ben), await kinds(given.cleo)]).toEqual([sixTimes('revealed'), sixTimes('revealed')])
    expect(await reported(given)).toEqual(sixTimes('card.revealed'))
  })
})
