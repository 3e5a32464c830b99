import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { type Database, dialectOf } from '@marquee/platform/database/database'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { LEAVING } from '../leaving.ts'
import { nightCalendars } from '../mails/night-calendar.ts'
import { nightMails } from '../mails/night-mail.ts'
import { productMigrations } from '../migrations/index.ts'
import { imageAddresses } from '../rooms/movies/images/names.ts'
import { requestPictures } from '../rooms/movies/posters/queue.ts'
import { uncopiedPosters } from '../rooms/movies/posters/service.ts'
import { removePersonAt } from '../remove-person.ts'
import { factsTo } from '../rooms/news/facts/service.ts'
import { type Caller, callOk } from '../testing/call.ts'
import { aUser, aWatchlist } from '../testing/make.ts'
import { anApp, PUBLIC_URL } from '../testing/start-app.ts'
import { testAccounts } from '../testing/test-accounts.ts'
import { fillDemo, hasDemo, removeDemo } from './demo.ts'

eachStatement({ product: productMigrations }, (theDatabase) => {
  // Nothing is announced during a test, so that the rows can be counted.
  const theApp = anApp(theDatabase, { announceAfterMs: 600_000 })
  let ana: Caller

  const portsOn = (database: Database<unknown>) => ({
    database,
    clock: systemClock,
    random: systemRandom,
    images: { ...imageAddresses(PUBLIC_URL, 'copy'), keep: async () => await Promise.reject(new Error('no image')) },
    posters: { ...uncopiedPosters, requestPictures: requestPictures.bind(undefined, systemClock) },
    facts: factsTo({
      random: systemRandom,
      live: { publish: () => undefined },
      wakeActivities: () => undefined,
    }),
    publicUrl: PUBLIC_URL,
    mail: { enqueue: async () => await Promise.reject(new Error('no mail')), wake: () => undefined },
    accounts: testAccounts,
    nightCalendar: nightCalendars(PUBLIC_URL),
    nightMail: nightMails(PUBLIC_URL),
    // The demo mails no one.
    mailTimes: async () => await Promise.resolve(new Map<string, Date>()),
  })
  const fill = async (database = theDatabase()) => {
    await fillDemo(portsOn(database), ana)
  }
  const remove = async () => {
    const ports = { ...portsOn(theDatabase()), ...LEAVING }
    return await removeDemo(ports, ana, removePersonAt(systemClock, systemRandom))
  }
  const countRows = async () => {
    const { read } = theDatabase()
    const names = await (
      dialectOf(read) === 'sqlite'
        ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
        : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`
    ).execute(read)
    const counts: Record<string, number> = {}
    for (const { name } of names.rows) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(read)
      counts[name] = Number(rows[0]?.count)
    }
    return counts
  }
  /** The same database, which fails after so many transactions, as if the process had been killed. */
  const cutOffAfter = (most: number): Database<unknown> => {
    const database = theDatabase()
    let count = 0
    const transaction: typeof database.transaction = async (work) => {
      count += 1
      if (count > most) throw new Error('cut off')
      return await database.transaction(work)
    }
    return { ...database, transaction }
  }
  const demoOf = async (user: Caller) => {
    const lists = await callOk(theApp(), ENDPOINTS.listWatchlists, user)
    return lists.find(({ name }) => name === 'Friday film club (demo)')
  }

  beforeEach(async () => {
    ana = aUser('ana')
    await aWatchlist(theApp(), { owner: ana })
  })
  afterEach(async () => void (await remove()))

  test('the demo has members, films, comments, ratings, and a past movie night with a vote', async () => {
    await fill()

    const params = { watchlistId: (await demoOf(ana))?.id ?? '' }
    const watchlist = await callOk(theApp(), ENDPOINTS.getWatchlist, ana, { params })
    const { cards } = await callOk(theApp(), ENDPOINTS.listCards, ana, { params, query: { limit: 50 } })
    const { count } = await callOk(theApp(), ENDPOINTS.countSuggestedCards, ana, { params })
    const statistics = await callOk(theApp(), ENDPOINTS.getStatistics, ana, { params })
    const rated = cards.find(({ status }) => status === 'WATCHED')
    const query = { cards: rated?.id ?? '' }
    const [seen] = (await callOk(theApp(), ENDPOINTS.listViewings, ana, { params, query })).cards

    expect(watchlist.isPrivate).toBe(true)
    expect(watchlist.members?.map(({ username }) => username)).toEqual([
      'ana',
      'Mia\u00A0(demo)',
      'Tom\u00A0(demo)',
      'Noor\u00A0(demo)',
    ])
    expect(cards.map(({ status }) => status)).toEqual(['REVEALED', 'WATCHED', 'WATCHED', 'REJECTED', 'WATCHED'])
    expect(count).toBe(11)
    expect(cards[0]?.lastComments).toHaveLength(2)
    expect([seen?.seenBy.length, seen?.ratings?.count]).toEqual([4, 4])
    expect(statistics).toMatchObject({ nights: { held: 1 }, putBack: 2, declined: 1 })
    expect(Date.parse(cards[4]?.createdAt ?? '')).toBeLessThan(Date.now() - 30 * 24 * 60 * 60_000)
  })

  test('removing the demo deletes all of its rows and no others', async () => {
    const before = await countRows()
    await fill()

    expect(await remove()).toBe(true)

    expect(await countRows()).toEqual(before)
    expect(await remove()).toBe(false)
  })

  test.each([1, 12, 40])(
    'a demo that was interrupted after %i transactions can be removed and created again',
    async (most) => {
      const before = await countRows()
      await expect(fill(cutOffAfter(most))).rejects.toThrow('cut off')
      expect(await hasDemo(portsOn(theDatabase()), ana)).toBe(true)

      expect(await remove()).toBe(true)

      expect(await countRows()).toEqual(before)
      await fill()
      expect(await demoOf(ana)).toBeDefined()
    },
  )

  test('removing the demo of one user keeps the demo of another', async () => {
    const first = ana
    await fill()
    ana = aUser('ben')
    await fill()

    await remove()

    expect([await demoOf(ana), (await demoOf(first))?.name]).toEqual([undefined, 'Friday film club (demo)'])
    ana = first
  })
})
