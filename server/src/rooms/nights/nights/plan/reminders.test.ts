import { expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from '../../../../migrations/index.ts'
import { type Caller, callOk } from '../../../../testing/call.ts'
import { aCard, aUser, aWatchlist, emailOf } from '../../../../testing/make.ts'
import { movableClock } from '../../../../testing/movable-clock.ts'
import { anApp, startApp } from '../../../../testing/start-app.ts'

const HOUR_MS = 60 * 60_000

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  test(
    'members who were there get one mail and one notification a day later about unrated movies',
    { tags: ['race'] },
    async () => {
      const [ana, ben, cleo, dora] = [aUser('ana'), aUser('ben'), aUser('cleo'), aUser('dora')]
      const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo, dora] })
      const params = { watchlistId: watchlist.id }
      const night = await callOk(theApp(), ENDPOINTS.openNight, ana, { params })
      for (const who of [ben, cleo]) {
        await callOk(theApp(), ENDPOINTS.arriveAtNight, who, { params: { nightId: night.id } })
      }
      for (const title of ['Night Tram', 'Stalker\r\nhttps://evil.example/']) {
        const { id: cardId } = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED', title })
        const place = { params: { ...params, cardId } }
        await callOk(theApp(), ENDPOINTS.moveCard, ana, { ...place, body: { status: 'WATCHED' } })
        await callOk(theApp(), ENDPOINTS.saveViewing, ben, { ...place, body: { stars: 4 } })
        if (title === 'Night Tram')
          await callOk(theApp(), ENDPOINTS.saveViewing, cleo, { ...place, body: { stars: 5 } })
      }
      await callOk(theApp(), ENDPOINTS.setMailSettings, cleo, { body: { nights: false } })

      const clock = movableClock()
      clock.moveAhead(13 * HOUR_MS)
      const apps = await Promise.all([startApp(theDatabase(), { clock }), startApp(theDatabase(), { clock })])

      const mails = () => apps.flatMap((app) => app.mails())
      await vi.waitFor(() => expect(mails().length).toBeGreaterThan(0), WITHIN)
      const asked = async (who: Caller) => {
        const { notifications } = await callOk(theApp(), ENDPOINTS.listNotifications, who, { query: { limit: 50 } })
        return notifications.filter(({ kind }) => kind === 'please-rate').map(({ cardTitle }) => cardTitle)
      }
      await vi.waitFor(async () => expect(await asked(ana)).not.toEqual([]), WITHIN)
      for (const app of apps) await app.stop()
      expect([await asked(ana), await asked(ben), await asked(cleo), await asked(dora)]).toEqual([
        [null],
        [],
        ['Stalker\r\nhttps://evil.example/'],
        [],
      ])
      expect(mails().map(({ to }) => to)).toEqual([emailOf(ana)])
      expect(mails()[0]?.subject).toBe(`How was it? "${watchlist.name}"`)
      expect(mails()[0]?.text).toContain('> Night Tram\n> Stalker https://evil.example/\n')
      expect(mails()[0]?.text).toContain(`\nhttp://marquee.test/watchlists/${watchlist.id}\n`)
      expect(mails()[0]?.text).toContain('\nhttp://marquee.test/account/notifications\n')
    },
  )

  test('a member who turns off mails about nights gets none about a plan until they turn them on again', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const input = {
      params: { watchlistId: watchlist.id },
      body: { times: ['2098-11-28T20:00'], timeZone: 'UTC', place: null, note: null },
    }
    const plan = async () => await callOk(theApp(), ENDPOINTS.planNight, ana, input)
    const mailsTo = (address: string) =>
      theApp()
        .mails()
        .filter(({ to }) => to === address)
    const settings = async () => await callOk(theApp(), ENDPOINTS.getMailSettings, ben)
    expect(await settings()).toEqual({ nights: true })

    await callOk(theApp(), ENDPOINTS.setMailSettings, ben, { body: { nights: false } })
    expect(await settings()).toEqual({ nights: false })
    await plan()
    await vi.waitFor(() => expect(mailsTo(emailOf(ana))).toHaveLength(1), WITHIN)
    await callOk(theApp(), ENDPOINTS.setMailSettings, ben, { body: { nights: true } })
    await plan()

    await vi.waitFor(() => expect(mailsTo(emailOf(ben))).toHaveLength(1), WITHIN)
  })
})
