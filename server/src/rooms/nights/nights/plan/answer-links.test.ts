import { beforeEach, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Night } from '@marquee/contract/entities/night'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { unsubscribeKey } from '../../../../master-keys.ts'
import { productMigrations } from '../../../../migrations/index.ts'
import { type Caller, callOk } from '../../../../testing/call.ts'
import { aUser, aWatchlist, emailOf } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'
import { answerUrls } from './answer-links.ts'

const KEY = unsubscribeKey(new Uint8Array(32))
const EARLIER = unsubscribeKey(new Uint8Array(32).fill(1))
const publicUrl = 'http://marquee.test'
const FRIDAY = '2098-11-28T19:00:00.000Z'
const SATURDAY = '2098-11-29T19:00:00.000Z'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase, { unsubscribeKeys: [KEY, EARLIER] })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist

  beforeEach(async () => {
    ;[ana, ben] = [aUser('ana'), aUser('ben')]
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] }))
  })

  const plan = async (...times: string[]) =>
    await callOk(theApp(), ENDPOINTS.planNight, ana, {
      params: { watchlistId: watchlist.id },
      body: { times, timeZone: 'Europe/Berlin' },
    })
  const pathOf = (reader: Caller, night: Night, key = KEY) =>
    answerUrls({ publicUrl, random: systemRandom, unsubscribeKeys: [key] })(reader, night.id).slice(publicUrl.length)
  const open = async (url: string) => await theApp().app.inject({ url, headers: { accept: 'text/html' } })
  const send = async (url: string, form: Record<string, string>) =>
    await theApp().app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
  const answers = async () => {
    const { nights } = await callOk(theApp(), ENDPOINTS.listNights, ana, { params: { watchlistId: watchlist.id } })
    return nights.flatMap(({ times }) => times.map((time) => time.answers))
  }

  // Evidence: asvs-3.5.3
  test('a link in a mail shows its answer, and pressing the button saves it', async () => {
    await plan('2098-11-28T20:00')
    const mail = () =>
      theApp()
        .mails()
        .find(({ to }) => to === emailOf(ben))
    await vi.waitFor(() => expect(mail()).toBeDefined(), WITHIN)
    const url = /http:\/\/marquee\.test(?<path>\/night-answer\/\S+\?answer=maybe)/u.exec(mail()?.text ?? '')?.groups?.[
      'path'
    ]
    if (url === undefined) throw new Error('The mail has no link')

    const page = await open(url)

    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain('Friday, 28 November 2098 at 20:00 (Europe/Berlin)')
    expect(page.body.match(/value="\w+"\s+checked/gu)).toEqual([expect.stringContaining('"maybe"')])
    expect(await answers()).toEqual([[]])
    expect((await send(url, { [FRIDAY]: 'maybe' })).body).toContain('Your answer is saved.')
    expect(await answers()).toEqual([[{ username: 'ben', answer: 'maybe' }]])
  })

  test('a submission ignores invalid answers and times that are not proposed', async () => {
    const night = await plan('2098-11-28T20:00', '2098-11-29T20:00')
    const url = pathOf(ben, night, EARLIER)

    await send(url, { [FRIDAY]: 'in', [SATURDAY]: 'never', '2098-11-30T19:00:00.000Z': 'in' })

    expect(await answers()).toEqual([[{ username: 'ben', answer: 'in' }], []])
    expect((await open(url)).body.match(/value="\w+"\s+checked/gu)).toHaveLength(1)
  })

  test('the answer page is in the language of the reader', async () => {
    await callOk(theApp(), ENDPOINTS.chooseLanguage, ben, { body: { language: 'de' } })

    const { body } = await open(pathOf(ben, await plan('2098-11-28T20:00')))

    expect(body).toContain('<html lang="de" dir="ltr">')
    expect(body).toContain('Kommst du?')
  })

  test('a night accepts no more answers after it has started', async () => {
    const night = await plan('2098-11-28T20:00')
    await callOk(theApp(), ENDPOINTS.startNight, ana, { params: { nightId: night.id } })
    const url = pathOf(ben, night)

    expect((await open(url)).body).toContain('This movie night takes no more answers.')
    expect((await send(url, { [FRIDAY]: 'in' })).body).toContain('This movie night takes no more answers.')
  })

  test('a link gets 404 if it was altered, or its reader is not a member or has no account', async () => {
    const night = await plan('2098-11-28T20:00')
    const path = pathOf(ben, night)
    const stranger = aUser('eve')
    const deleted = { ...ben, userId: systemRandom.uuid() }

    for (const url of [`${path.slice(0, -3)}AAA`, pathOf(deleted, night)]) {
      expect((await open(url)).statusCode).toBe(404)
      expect((await send(url, { [FRIDAY]: 'in' })).statusCode).toBe(404)
    }
    await callOk(theApp(), ENDPOINTS.setWatchlistPrivacy, ana, {
      params: { watchlistId: watchlist.id },
      body: { isPrivate: true },
    })
    expect((await open(pathOf(stranger, night))).statusCode).toBe(404)
    expect((await send(pathOf(stranger, night), { [FRIDAY]: 'in' })).statusCode).toBe(404)
    expect(await answers()).toEqual([[]])
  })
})
