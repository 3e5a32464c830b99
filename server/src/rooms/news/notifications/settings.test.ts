import { expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { withTables } from '@marquee/platform/database/database'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { migrateAll } from '@marquee/platform/database/migrate'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from '../../../migrations/index.ts'
import { removePersonAt } from '../../../remove-person.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp } from '../../../testing/start-app.ts'
import type { SettingsTables } from './settings-store.ts'

const IN_APP = { inApp: true, push: false, mail: 'off' }
const DEFAULTS = {
  groups: {
    invitations: { inApp: true, push: true, mail: 'at-once' },
    joins: IN_APP,
    draws: IN_APP,
    drawn: { inApp: true, push: true, mail: 'off' },
    comments: IN_APP,
    mentions: { inApp: true, push: true, mail: 'off' },
    nights: { inApp: true, push: true, mail: 'at-once' },
    ratings: { inApp: true, push: false, mail: 'at-once' },
    arrivals: { inApp: true, push: true, mail: 'off' },
  },
  mutedWatchlistIds: [],
  quietHours: null,
  timeZone: null,
}

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)
  const settings = async (user: Caller) => await callOk(theApp(), ENDPOINTS.getNotificationSettings, user)
  const change = async (user: Caller, body: object) =>
    await call(theApp(), ENDPOINTS.changeNotificationSettings, user, { body })

  test('a change keeps all other settings, and the settings of other users', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    expect(await settings(ana)).toEqual(DEFAULTS)

    await change(ana, { groups: { comments: { mail: 'daily' } }, timeZone: 'Europe/Berlin' })
    await change(ana, { groups: { comments: { inApp: false } }, quietHours: { from: '22:00', until: '07:30' } })

    const { groups, ...others } = await settings(ana)
    expect(groups).toEqual({ ...DEFAULTS.groups, comments: { inApp: false, push: false, mail: 'daily' } })
    expect(others).toEqual({
      mutedWatchlistIds: [],
      quietHours: { from: '22:00', until: '07:30' },
      timeZone: 'Europe/Berlin',
    })
    expect(await settings(ben)).toEqual(DEFAULTS)
    await change(ana, { quietHours: null })
    expect((await settings(ana)).quietHours).toBeNull()
  })

  test('two simultaneous changes are both kept', { tags: ['race'] }, async () => {
    const ana = aUser('ana')
    await Promise.all([
      change(ana, { groups: { comments: { mail: 'daily' } } }),
      change(ana, { groups: { joins: { mail: 'daily' } } }),
    ])

    const { groups } = await settings(ana)
    expect([groups.comments.mail, groups.joins.mail]).toEqual(['daily', 'daily'])
  })

  test.each([
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, 'timeZone: This is not a time zone'],
    ['a time that no clock shows', { quietHours: { from: '24:00', until: '07:00' } }, 'quietHours.from'],
    ['quiet hours without an end', { quietHours: { from: '07:00', until: '07:00' } }, 'Quiet hours must end'],
    ['an unknown choice', { groups: { comments: { mail: 'weekly' } } }, 'groups.comments.mail'],
  ])('%s is refused, and nothing changes', async (_, wrong, message) => {
    const ana = aUser('ana')
    const { status, body } = await change(ana, { groups: { joins: { inApp: false } }, ...wrong })

    expect(status).toBe(400)
    expect(body).toMatchObject({ type: 'BAD_REQUEST', message: expect.stringContaining(message) as string })
    expect(await settings(ana)).toEqual(DEFAULTS)
  })

  test('only members can mute a watchlist, and a change drops muted watchlists that the user has left', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist: left } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const { watchlist: kept } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const mute = async (user: Caller, watchlistId: string) =>
      await change(user, { watchlist: { watchlistId, isMuted: true } })

    expect((await mute(aUser('cleo'), left.id)).status).toBe(404)
    await mute(ben, left.id)
    await mute(ben, kept.id)
    expect((await settings(ben)).mutedWatchlistIds.toSorted()).toEqual([left.id, kept.id].toSorted())

    await callOk(theApp(), ENDPOINTS.removeMember, ben, { params: { watchlistId: left.id, username: ben.username } })
    await change(ben, { watchlist: { watchlistId: kept.id, isMuted: true } })
    expect((await settings(ben)).mutedWatchlistIds).toEqual([kept.id])
    await change(ben, { watchlist: { watchlistId: kept.id, isMuted: false } })
    expect((await settings(ben)).mutedWatchlistIds).toEqual([])
  })

  test('the list leaves out kinds that are turned off, and shows those of a muted watchlist as read', async () => {
    const [ana, off, muted, other] = [aUser('ana'), aUser('off'), aUser('muted'), aUser('other')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [off, muted, other] })
    await change(off, { groups: { draws: { inApp: false } } })
    await change(muted, { watchlist: { watchlistId: watchlist.id, isMuted: true } })

    await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })

    const revealed = async (user: Caller) => {
      const { notifications } = await callOk(theApp(), ENDPOINTS.listNotifications, user)
      return notifications.filter(({ kind }) => kind === 'revealed').map(({ isRead }) => isRead)
    }
    await vi.waitFor(async () => expect(await revealed(other)).toEqual([false]), WITHIN)
    expect(await revealed(muted)).toEqual([true])
    expect(await revealed(off)).toEqual([])
  })

  test('a change by the older call for mail settings shows in the settings', async () => {
    const ana = aUser('ana')
    await callOk(theApp(), ENDPOINTS.setMailSettings, ana, { body: { nights: false } })
    const { groups } = await settings(ana)
    expect([groups.nights.mail, groups.ratings.mail]).toEqual(['off', 'off'])

    await change(ana, { groups: { nights: { mail: 'daily' } } })
    expect(await callOk(theApp(), ENDPOINTS.getMailSettings, ana)).toEqual({ nights: true })
  })

  test('deleting an account deletes its settings', async () => {
    const ana = aUser('ana')
    await change(ana, { timeZone: 'Europe/Berlin' })

    await theDatabase().transaction(async (trx) => await removePersonAt(systemClock, systemRandom)(trx, ana.userId))

    expect(await settings(ana)).toEqual(DEFAULTS)
  })
})

eachStatement({}, (theDatabase) => {
  test('an upgrade keeps mails about nights off for users who turned them off', async () => {
    const earlier = Object.fromEntries(Object.entries(productMigrations).filter(([name]) => name < '0041'))
    await migrateAll(theDatabase(), { product: earlier })
    const people = withTables<{ person: { user_id: string; username: string; night_mails: number } }>(
      theDatabase().read,
    )
    await people
      .insertInto('person')
      .values([
        { user_id: 'u-ana', username: 'ana', night_mails: 0 },
        { user_id: 'u-ben', username: 'ben', night_mails: 1 },
      ])
      .execute()

    await migrateAll(theDatabase(), { product: productMigrations })

    const rows = await withTables<SettingsTables>(theDatabase().read)
      .selectFrom('notification_settings')
      .selectAll()
      .execute()
    expect(rows).toEqual([
      { user_id: 'u-ana', settings: '{"groups":{"nights":{"mail":"off"},"ratings":{"mail":"off"}}}' },
    ])
  })
})
