import { expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { unsubscribeKey } from '../../../master-keys.ts'
import { productMigrations } from '../../../migrations/index.ts'
import { type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist, emailOf } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp } from '../../../testing/start-app.ts'
import type { Tables } from '../../../tables.ts'
import { SEEN_WITHIN_MS } from './delivery.ts'
import type { NotificationMailTables } from './mail-store.ts'
import { unsubscribeUrls } from './unsubscribe.ts'

const KEY = unsubscribeKey(new Uint8Array(32))
const publicUrl = 'http://marquee.test'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const theApp = anApp(theDatabase, { clock, unsubscribeKeys: [unsubscribeKey(new Uint8Array(32).fill(1)), KEY] })
  const urlOf = unsubscribeUrls({ publicUrl, random: systemRandom, unsubscribeKeys: [KEY] })
  const pathOf = (user: Caller, topic: 'draws' | 'daily' | 'nights') => urlOf(user, topic).slice(publicUrl.length)
  const change = async (user: Caller, groups: object) =>
    await callOk(theApp(), ENDPOINTS.changeNotificationSettings, user, { body: { groups } })
  const mailsOf = async (user: Caller) => {
    const { groups } = await callOk(theApp(), ENDPOINTS.getNotificationSettings, user)
    return [groups.draws.mail, groups.comments.mail, groups.nights.mail]
  }
  const oneClick = async (url: string) =>
    await theApp().app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })

  test('a one-click unsubscribe turns off the mails on a topic, without a sign-in', async () => {
    const ben = aUser('ben')
    await change(ben, { draws: { mail: 'at-once' }, comments: { mail: 'at-once' } })

    expect((await oneClick(pathOf(ben, 'draws'))).statusCode).toBe(200)
    expect(await mailsOf(ben)).toEqual(['off', 'at-once', 'at-once'])
    expect((await oneClick(pathOf(ben, 'draws'))).statusCode).toBe(200)
  })

  test('the link of the daily mail turns all daily mails off', async () => {
    const ben = aUser('ben')
    await change(ben, { draws: { mail: 'daily' }, comments: { mail: 'daily' } })

    await oneClick(pathOf(ben, 'daily'))

    expect(await mailsOf(ben)).toEqual(['off', 'off', 'at-once'])
  })

  // Evidence: asvs-3.5.3
  test('opening the link shows a page with a button, and changes nothing', async () => {
    const ben = aUser('ben')
    await change(ben, { draws: { mail: 'at-once' } })

    const page = await theApp().app.inject({ url: pathOf(ben, 'draws'), headers: { accept: 'text/html' } })

    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('<form method="post"><button>Stop these mails</button></form>')
    expect(await mailsOf(ben)).toEqual(['at-once', 'off', 'at-once'])
  })

  test('the link works for a user with the longest name', async () => {
    const user = aUser('名'.repeat(128))
    await change(user, { draws: { mail: 'at-once' } })

    expect((await oneClick(pathOf(user, 'draws'))).statusCode).toBe(200)
    expect(await mailsOf(user)).toEqual(['off', 'off', 'at-once'])
  })

  test('the link of a deleted account stores nothing', async () => {
    const deleted = { userId: systemRandom.uuid(), username: 'deleted' }

    expect((await oneClick(pathOf(deleted, 'nights'))).statusCode).toBe(200)

    const { read } = theDatabase().withTables<Tables>()
    for (const table of ['person', 'notification_settings'] as const) {
      expect(await read.selectFrom(table).selectAll().where('user_id', '=', deleted.userId).execute()).toEqual([])
    }
  })

  test.each(['GET', 'POST'] as const)('a %s request with a changed link gets 404', async (method) => {
    const path = pathOf(aUser('ben'), 'draws')
    const url = `${path.slice(0, -4)}${path.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`

    expect((await theApp().app.inject({ method, url })).statusCode).toBe(404)
  })

  test('mails about notifications and about nights have an unsubscribe link', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    await change(ben, { draws: { mail: 'at-once' } })
    await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
    await callOk(theApp(), ENDPOINTS.planNight, ana, {
      params: { watchlistId: watchlist.id },
      body: { times: ['2098-11-28T20:00'], timeZone: 'UTC' },
    })

    const mails = () =>
      theApp()
        .mails()
        .filter(({ to }) => to === emailOf(ben))
    const waiting = async () =>
      await theDatabase()
        .withTables<NotificationMailTables>()
        .read.selectFrom('notification_mail')
        .select('notification_id')
        .where('user_id', '=', ben.userId)
        .execute()
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), WITHIN)
    // An open page could say until then that its user has seen the news.
    clock.moveAhead(SEEN_WITHIN_MS)
    await change(ben, {})
    await vi.waitFor(() => expect(mails()).toHaveLength(2), WITHIN)
    for (const { text, unsubscribeUrl = '' } of mails()) {
      expect(text).toContain(`Stop these mails\n${unsubscribeUrl}\n`)
      expect((await oneClick(unsubscribeUrl.slice(publicUrl.length))).statusCode).toBe(200)
    }
    expect(await mailsOf(ben)).toEqual(['off', 'off', 'off'])
  })
})
