import { beforeEach, expect, test } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, type CallInput, callOk } from '../../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { movableClock } from '../../../../testing/movable-clock.ts'
import { openStream } from '../../../../testing/open-stream.ts'
import { anApp } from '../../../../testing/start-app.ts'
import type { ScreenTables } from './screen-store.ts'
import { sweepScreenCodes } from './screens.ts'

const MINUTE_MS = 60_000
const NO_SCREEN = { type: 'NOT_FOUND', message: 'No screen shows this code' }

eachStatement({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const theApp = anApp(theDatabase, { clock })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist
  let nightId: string

  beforeEach(async () => {
    ;[ana, ben] = [aUser('ana'), aUser('ben')]
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben], isPrivate: true }))
    ;({ id: nightId } = await anOpenNight(ana, watchlist))
  })

  const anOpenNight = async (by: Caller, { id: watchlistId }: Watchlist) =>
    await callOk(theApp(), ENDPOINTS.openNight, by, { params: { watchlistId } })
  const request = async () => (await call(theApp(), ENDPOINTS.requestScreen, undefined)).body
  const ask = async ({ code, secret }: { code: string; secret: string }) =>
    await call(theApp(), ENDPOINTS.findScreenPass, undefined, { body: { code, secret } })
  const pair = async (code: string, by = ana, night = nightId) =>
    await call(theApp(), ENDPOINTS.pairScreen, by, { params: { nightId: night }, body: { code } })
  const list = async () => (await callOk(theApp(), ENDPOINTS.listScreens, ben, { params: { nightId } })).screens
  const asScreen = async (token: string, name: EndpointName, input: CallInput = {}) =>
    await call(theApp(), ENDPOINTS[name], undefined, {
      params: { nightId },
      ...input,
      headers: { authorization: `Bearer ${token}` },
    })
  const aScreen = async () => {
    const screen = await request()
    const { status, body } = await pair(screen.code)
    expect(status).toBe(200)
    return { ...screen, token: (await ask(screen)).body.pass?.token ?? '', screenId: body.screenId }
  }

  test('a screen shows the night after a member has typed its code', async () => {
    const screen = await request()
    const before = await ask(screen)
    const typed = `${screen.code.slice(0, 3).toLowerCase()} ${screen.code.slice(3)}`
    const { body } = await pair(typed)
    const { pass } = (await ask(screen)).body
    const shown = await asScreen(pass?.token ?? '', 'getNightScreen')

    expect(screen.code).toMatch(/^[A-HJKMNP-Z2-9]{6}$/u)
    expect(before.body).toEqual({ pass: null })
    expect(pass).toMatchObject({ nightId, screenId: body.screenId })
    expect(shown.status).toBe(200)
    expect(shown.body).toMatchObject({ watchlistName: watchlist.name, present: [{ name: ana.username }], vote: null })
    expect(await list()).toEqual([{ screenId: body.screenId, by: ana.username, since: expect.any(String) as string }])
  })

  test('typing the code again changes nothing, and no other night can take the screen', async () => {
    const { code, screenId } = await aScreen()
    const other = await aWatchlist(theApp(), { owner: ben })
    const { id } = await anOpenNight(ben, other.watchlist)

    expect((await pair(code)).body).toMatchObject({ screenId })
    expect((await pair(code, ben, id)).body).toEqual(NO_SCREEN)
    expect(await list()).toHaveLength(1)
  })

  test('only one of two nights that enter the same code at once gets the screen', { tags: ['race'] }, async () => {
    const { code } = await request()
    const other = await aWatchlist(theApp(), { owner: ben })
    const { id } = await anOpenNight(ben, other.watchlist)

    const statuses = (await Promise.all([pair(code), pair(code, ben, id)])).map(({ status }) => status)

    expect(new Set(statuses)).toEqual(new Set([200, 404]))
  })

  test('a wrong code, an expired code and a wrong secret get 404', async () => {
    const screen = await request()
    const other = await request()

    expect((await pair('222222')).body).toEqual(NO_SCREEN)
    expect((await ask({ code: screen.code, secret: other.secret })).status).toBe(404)
    clock.moveAhead(10 * MINUTE_MS)
    expect((await pair(screen.code)).body).toEqual(NO_SCREEN)
    expect((await ask(screen)).status).toBe(404)
  })

  test('a member must be present at an open night to pair a screen, and five screens are the limit', async () => {
    const { code } = await request()

    expect((await pair(code, ben)).body).toEqual({ type: 'BAD_REQUEST', message: 'Say that you are here first' })
    for (let n = 0; n < 5; n += 1) await aScreen()
    expect((await pair(code)).body.message).toBe('A movie night cannot have more than 5 screens')
    await callOk(theApp(), ENDPOINTS.endNight, ana, { params: { nightId } })
    expect((await pair(code)).body).toEqual({ type: 'BAD_REQUEST', message: 'This night has ended' })
  })

  test('a screen gets live events of the night until a member ends it', async () => {
    const { token, screenId } = await aScreen()
    const origin = await theApp().app.listen({ host: '127.0.0.1', port: 0 })
    const stream = await openStream(`${origin}/api/nights/${nightId}/events`, token)
    await aCard(theApp(), { inside: watchlist, by: ana })
    await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
    const seen = await stream.next()
    await callOk(theApp(), ENDPOINTS.endScreen, ben, { params: { nightId, screenId } })
    await stream.ended

    // A heartbeat would end the stream, too.
    expect(stream.heartbeats()).toBe(0)
    // The card in the box is secret, and the id of the revealed one is not needed.
    expect(seen).toEqual({ kind: 'nights-changed', watchlistId: watchlist.id })
    expect((await asScreen(token, 'getNightScreen')).status).toBe(401)
    expect(await list()).toEqual([])
  })

  test('a screen can end itself, but no other screen', async () => {
    const [one, other] = [await aScreen(), await aScreen()]
    const end = async (screenId: string) =>
      (await asScreen(one.token, 'endScreen', { params: { nightId, screenId } })).status

    expect(await end(other.screenId)).toBe(403)
    expect(await end(one.screenId)).toBe(204)
    expect((await list()).map(({ screenId }) => screenId)).toEqual([other.screenId])
  })

  test('a screen loses access a day after the night', async () => {
    const { token } = await aScreen()
    await callOk(theApp(), ENDPOINTS.endNight, ana, { params: { nightId } })

    expect((await asScreen(token, 'getNightScreen')).body).toMatchObject({ state: 'ended', present: [] })
    clock.moveAhead(24 * 60 * MINUTE_MS + 1_000)
    expect((await asScreen(token, 'getNightScreen')).status).toBe(401)
  })

  test('expired codes are removed, and secrets are not stored', async () => {
    const { secret } = await request()
    const database = theDatabase().withTables<ScreenTables>()
    const rows = async () => await database.read.selectFrom('screen_pairing').selectAll().execute()
    const before = await rows()
    clock.moveAhead(10 * MINUTE_MS)
    await sweepScreenCodes({ database: theDatabase(), clock })

    expect(before.length).toBeGreaterThan(0)
    expect(JSON.stringify(before)).not.toContain(secret)
    expect(await rows()).toEqual([])
  })
})
