import pino from 'pino'
import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { allAnnounced } from '../../../testing/all-announced.ts'
import { type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp } from '../../../testing/start-app.ts'
import { announceToMembers } from '../notifications/announce.ts'
import { startActivityQueue } from './queue.ts'

eachDatabase({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const aDay = 24 * 60 * 60_000
  // It records activities, and only the queue of the test announces them.
  const theApp = anApp(theDatabase, { clock, announceAfterMs: aDay })

  const settled = async (watchlistId: string) => await allAnnounced(theDatabase(), clock, watchlistId)
  const kinds = async (user: Caller) =>
    (await callOk(theApp(), ENDPOINTS.listNotifications, user, { query: { limit: 50 } })).notifications.map(
      ({ kind }) => kind,
    )

  test('an activity whose transaction fails is announced later, once, and does not delay others', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const { id: cardId } = await aCard(theApp(), { inside: watchlist, by: ben, status: 'REVEALED' })
    const params = { watchlistId: watchlist.id, cardId }
    await callOk(theApp(), ENDPOINTS.addComment, ana, { params, body: { content: 'Tonight?' } })
    let isBroken = true
    const queue = startActivityQueue({
      database: theDatabase().withTables(),
      clock,
      random: systemRandom,
      logger: pino({ level: 'silent' }),
      findAddressee: async () => await Promise.resolve(undefined),
      announceAfterMs: 0,
      announce: [
        announceToMembers({
          clock,
          random: systemRandom,
          live: { notify: () => undefined },
          wakePush: () => undefined,
          wakeMails: () => undefined,
        }),
        async (_trx, _watchlistId, activities) => {
          if (isBroken && activities.some(({ activity }) => activity.kind === 'commented')) throw new Error('Full')
          return await Promise.resolve(() => undefined)
        },
      ],
    })
    await settled(watchlist.id)
    const before = [await kinds(ana), await kinds(ben)]

    isBroken = false
    clock.moveAhead(30_000)
    queue.wakeSoon()
    await settled(watchlist.id)
    await queue.stop()

    expect(before).toEqual([['revealed'], []])
    expect([await kinds(ana), await kinds(ben)]).toEqual([['revealed'], ['commented']])
  })
})
