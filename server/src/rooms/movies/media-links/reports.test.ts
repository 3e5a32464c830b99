import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { createMetrics } from '@marquee/platform/metrics/metrics'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, callOk } from '../../../testing/call.ts'
import { aClubWith, ALIEN, RAN } from '../../../testing/media/linked-club.ts'
import { aForm, jellyfinReport, plexReport, sentBy } from '../../../testing/media/reports.ts'

const MINUTE_MS = 60_000
const ANOTHER_MACHINE = 'fedcba98765432100123456789abcdef'

eachStatement({ product: productMigrations }, (theDatabase) => {
  /** A club in which Ben has linked the user Lea, with the address of its server and a card. */
  async function aReportingClub(kind: 'jellyfin' | 'emby' | 'plex', options: Parameters<typeof aClubWith>[2] = {}) {
    const club = await aClubWith(theDatabase(), kind, options)
    await club.linkHere(club.ben)
    const address = await club.makeHook()
    const alien = await club.add('Alien', { tmdb: ALIEN.tmdb, imdb: ALIEN.imdb })
    const userId = club.standIn.state.users[0]?.id ?? ''
    const send = async (what: Partial<Parameters<typeof sentBy>[1]> = {}) =>
      (await club.report(address, ...sentBy(club.standIn, { userId, film: ALIEN, ...what }))).statusCode
    const counts = async () =>
      (await club.hooks()).map(({ taken, unlinked, unmatched }) => [taken, unlinked, unmatched])
    return { ...club, address, alien, userId, send, counts }
  }

  test.each(['jellyfin', 'emby', 'plex'] as const)(
    'a film that a linked user plays to its end on %s becomes a seen mark, but only on feed cards',
    async (kind) => {
      const { ana, ben, params, alien, add, viewingsOf, send, counts, standIn } = await aReportingClub(kind)
      const boxed = await add('Alien again', { imdb: ALIEN.imdb }, { inBox: true })

      expect(await send()).toBe(204)

      expect(await viewingsOf(alien, ben)).toMatchObject({
        seenBy: ['ben'],
        own: { username: 'ben', seenOn: null, stars: null, note: null },
        ratings: null,
        markedBy: params.serverId,
      })
      expect(await viewingsOf(alien, ana)).toMatchObject({ own: null, markedBy: null })
      expect(await viewingsOf(boxed, ben)).toBeUndefined()
      expect(await counts()).toEqual([[1, 0, 0]])
      expect(standIn.state.marked).toEqual([])
    },
  )

  test.each(['jellyfin', 'emby', 'plex'] as const)(
    'a report of %s about an unfinished film or from another server marks nothing',
    async (kind) => {
      const { ben, alien, address, viewingsOf, report, send, counts, standIn, userId } = await aReportingClub(kind)

      expect(await send({ isComplete: false })).toBe(204)
      const elsewhere = sentBy(
        { ...standIn, state: { ...standIn.state, machineId: ANOTHER_MACHINE } },
        { userId, film: ALIEN },
      )
      expect((await report(address, ...elsewhere)).statusCode).toBe(204)

      expect(await viewingsOf(alien, ben)).toMatchObject({ own: null })
      expect(await counts()).toEqual([[0, 0, 0]])
    },
  )

  test('a repeated report counts once, even after the member has undone the mark', async () => {
    const { ben, alien, clock, viewingsOf, unmark, send, counts } = await aReportingClub('jellyfin')
    await send()
    await send()
    await unmark(ben, alien)
    clock.moveAhead(116 * MINUTE_MS)

    await send()

    expect(await viewingsOf(alien, ben)).toMatchObject({ own: null })
    expect(await counts()).toEqual([[1, 0, 0]])
    clock.moveAhead(2 * MINUTE_MS)
    await send()
    expect(await viewingsOf(alien, ben)).toMatchObject({ own: { username: 'ben' } })
    expect(await counts()).toEqual([[2, 0, 0]])
  })

  test('a report keeps the rating of a member, and a reported mark becomes theirs once they rate the film', async () => {
    const { ana, ben, alien, add, mark, viewingsOf, send } = await aReportingClub('plex')
    const ran = await add('Ran', { imdb: RAN.imdb })
    await mark(ben, ran, { stars: 4.5, note: 'Fire' })
    await mark(ana, alien, { stars: 5 })

    await send({ film: RAN })
    await send()

    expect(await viewingsOf(ran, ben)).toMatchObject({ own: { stars: 4.5, note: 'Fire' }, markedBy: null })
    expect(await viewingsOf(alien, ben)).toMatchObject({ ratings: null })
    await mark(ben, alien, { stars: 3 })
    expect(await viewingsOf(alien, ben)).toMatchObject({ markedBy: null, ratings: { average: 4, count: 2 } })
  })

  test('reports about unlinked users and films without a card in the feed are ignored and counted', async () => {
    const { ana, cleo, alien, params, started, add, viewingsOf, send, counts, standIn } = await aReportingClub('plex')
    await add('Ran', { imdb: RAN.imdb }, { inBox: true })
    const [, ida] = standIn.state.users
    await callOk(started, ENDPOINTS.claimMediaAccount, cleo, { params, body: { accountId: ida?.id } })

    expect([await send({ userId: ida?.id ?? '' }), await send({ userId: '77' }), await send({ film: RAN })]).toEqual([
      204, 204, 204,
    ])

    expect(await viewingsOf(alien, ana)).toMatchObject({ seenBy: [] })
    expect(await counts()).toEqual([[0, 2, 1]])
  })

  test('a film marked as played in Emby becomes a seen mark, even from an older form of report', async () => {
    const { ben, alien, address, report, viewingsOf, userId } = await aReportingClub('emby')
    const marked = {
      Event: 'item.markplayed',
      User: { Id: userId },
      Item: { Name: 'Alien', Id: '1000', Type: 'Movie', ProviderIds: { TMDB: ALIEN.tmdb } },
    }
    const [form, type] = aForm(marked)

    expect((await report(address, form.replace('"payload"', '"data"'), type)).statusCode).toBe(204)

    expect(await viewingsOf(alien, ben)).toMatchObject({ own: { username: 'ben' } })
  })

  test('reports with a wrong or replaced secret get 404, and do not use up the limit of the right one', async () => {
    const club = await aReportingClub('jellyfin', { ports: { limiter: localRateLimiter() } })
    const { ben, alien, params, address, makeHook, report, viewingsOf, send, counts, standIn, userId } = club
    const renewed = await makeHook()
    const statuses = new Set<number>()
    for (const path of [address, renewed.slice(0, -1), `${renewed}x`, renewed.replace(params.serverId, 'other')]) {
      for (let n = 0; n < 200; n += 1) statuses.add((await report(path, '{')).statusCode)
    }
    expect([...statuses]).toEqual([404])
    expect(await send()).toBe(404)

    expect((await report(renewed, ...sentBy(standIn, { userId, film: ALIEN }))).statusCode).toBe(204)
    expect(await viewingsOf(alien, ben)).toMatchObject({ own: { username: 'ben' } })
    expect(await counts()).toEqual([[1, 0, 0]])
  })

  test('only the owner makes the report address, and later replies do not contain its secret', async () => {
    const { started, ana, ben, params, list, address } = await aReportingClub('plex')

    expect((await call(started, ENDPOINTS.makeMediaHook, ben, { params })).status).toBe(403)
    const links = await callOk(started, ENDPOINTS.listMediaLinks, ana, { params: list })

    expect(links.hooks).toMatchObject([{ serverId: params.serverId, lastAt: null }])
    expect(JSON.stringify(links)).not.toContain(address.split('/').at(-1))
    expect((await callOk(started, ENDPOINTS.listMediaLinks, ben, { params: list })).hooks).toEqual([])
  })

  test('a report of Plex may carry a picture, and one that is too large is rejected', async () => {
    const { ben, alien, address, report, viewingsOf, standIn, userId } = await aReportingClub('plex')
    const given = plexReport(standIn, { userId, film: ALIEN })

    const large = aForm(given, { picture: 'x'.repeat(2 * 1024 * 1024) })
    expect((await report(address, ...large)).statusCode).toBe(413)
    expect((await report(address, JSON.stringify({ ...given, x: 'x'.repeat(256 * 1024) }))).statusCode).toBe(413)
    expect(await viewingsOf(alien, ben)).toMatchObject({ own: null })
    const usual = aForm(given, { picture: 'x'.repeat(1_000_000), isFirst: true })
    expect((await report(address, ...usual)).statusCode).toBe(204)

    expect(await viewingsOf(alien, ben)).toMatchObject({ own: { username: 'ben' } })
  })

  test('malformed and hostile reports are rejected or ignored, and mark nothing', async () => {
    const { ben, alien, address, report, viewingsOf, standIn, userId } = await aReportingClub('jellyfin')
    const good = jellyfinReport(standIn, { userId, film: ALIEN })
    const broken = ['', '{', '[]', 'null', '7', '"x"', '['.repeat(200_000), '\u0000', JSON.stringify([good])]
    const odd = [
      {},
      { __proto__: null, ...good, UserId: { $ne: null } },
      { ...good, UserId: "' or 1=1 --" },
      { ...good, UserId: 'x'.repeat(10_000) },
      { ...good, NotificationType: ['PlaybackStop'] },
      { ...good, ItemType: 'Episode' },
      { ...good, PlayedToCompletion: 'maybe' },
      { ...good, Name: '', Provider_tmdb: { a: 1 }, Provider_imdb: 'tt\u0000' },
      { ...good, Name: 7 },
    ]

    const refused = new Set<number>()
    for (const body of broken) refused.add((await report(address, body)).statusCode)
    const ignored = new Set<number>()
    for (const body of odd) ignored.add((await report(address, JSON.stringify(body))).statusCode)
    const forms = [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=b',
      `multipart/form-data; boundary=${'b'.repeat(500)}`,
    ]
    for (const type of forms) {
      refused.add(
        (await report(address, '--b\r\nContent-Disposition: form-data; name="payload"\r\n\r\n{', type)).statusCode,
      )
      refused.add((await report(address, '--b\r\n'.repeat(10_000), type)).statusCode)
    }

    expect([...refused]).toEqual([400])
    expect([...ignored]).toEqual([204])
    expect(await viewingsOf(alien, ben)).toMatchObject({ own: null })
    const odder = { ...good, PlayedToCompletion: 'True', RunTimeTicks: 'x', Year: 'x', Provider_tmdb: 7 }
    expect((await report(address, JSON.stringify(odder))).statusCode).toBe(204)
    expect(await viewingsOf(alien, ben)).toMatchObject({ own: { username: 'ben' } })
  })

  test('reports are counted by their outcome, and limited for each server', async () => {
    const metrics = createMetrics()
    const { address, report, send } = await aReportingClub('jellyfin', {
      ports: { metrics, limiter: localRateLimiter() },
    })
    await send()
    await send()
    await send({ userId: 'ffffffffffffffffffffffffffffffff' })
    await send({ isComplete: false })
    await report(address, '{')
    await report(`${address}x`, '{}')

    let status = 0
    for (let n = 0; n < 1_000 && status !== 429; n += 1) status = (await report(address, '{')).statusCode

    const { text } = await metrics.print()
    const numberOf = (outcome: string) =>
      new RegExp(`media_reports_total\\{outcome="${outcome}"\\} (\\d+)`, 'u').exec(text)?.[1]
    const outcomes = ['taken', 'repeated', 'unlinked', 'other', 'refused']
    expect(outcomes.map(numberOf)).toEqual(['1', '1', '1', '1', '1'])
    expect(status).toBe(429)
  })
})
