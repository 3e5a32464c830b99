import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { anApp } from '../../../testing/start-app.ts'
import type { ActivityTables } from '../activities/store.ts'

eachStatement<ActivityTables>({ product: productMigrations }, (theDatabase) => {
  const bus = recordingBus()
  const webhookFetch = { lookup: async () => ['127.0.0.1'], allowAddress: () => true, allowPort: () => true }
  // Nothing is announced during a test, so that the rows can be read.
  const ports = { bus, webhookFetch, announceAfterMs: 600_000 }
  const theApp = anApp(() => theDatabase().withTables(), ports)

  /** Draws a card, comments on it and plans a night, all by the owner. */
  async function spendEvening({ hasMember, hasWebhook }: { hasMember: boolean; hasWebhook: boolean }) {
    const members = hasMember ? [aUser('ben')] : []
    const { watchlist, owner } = await aWatchlist(theApp(), { members })
    const params = { watchlistId: watchlist.id }
    if (hasWebhook) {
      const hook = { name: 'Chat', url: 'http://chat.example:1/hook', format: 'slack', kinds: ['card.revealed'] }
      await callOk(theApp(), ENDPOINTS.createWebhook, owner, { params, body: hook })
    }
    await aCard(theApp(), { inside: watchlist, by: owner })
    const { id: cardId } = await callOk(theApp(), ENDPOINTS.revealRandomCard, owner, { params })
    const inCard = { params: { ...params, cardId } }
    await callOk(theApp(), ENDPOINTS.addComment, owner, { ...inCard, body: { content: 'Tonight?' } })
    const night = { times: ['2098-11-28T20:00'], timeZone: 'UTC' }
    await callOk(theApp(), ENDPOINTS.planNight, owner, { params, body: night })
    const rows = theDatabase().read.selectFrom('activity').select(['kind', 'card_id'])
    const stored = await rows.where('watchlist_id', '=', watchlist.id).orderBy('id').execute()
    return {
      cardId,
      kinds: stored.map(({ kind }) => kind),
      about: stored[0]?.card_id,
      live: bus.kindsFor(watchlist.id),
    }
  }

  const REMINDERS = ['night-tomorrow', 'night-starting']
  const LIVE = ['box-changed', 'card-revealed', 'box-changed', 'comments-changed', 'nights-changed']

  test.each([
    ['another member', { hasMember: true, hasWebhook: false }],
    ['a webhook', { hasMember: false, hasWebhook: true }],
  ])('facts are stored for %s until they are announced', async (_who, scene) => {
    const { cardId, kinds, about, live } = await spendEvening(scene)

    expect(kinds).toEqual(['revealed', 'commented', 'night-planned', ...REMINDERS])
    expect(about).toBe(cardId)
    expect(live).toEqual(LIVE)
  })

  test('facts are not stored without another member or a webhook, except reminders', async () => {
    const { kinds, live } = await spendEvening({ hasMember: false, hasWebhook: false })

    expect(kinds).toEqual(REMINDERS)
    expect(live).toEqual(LIVE)
  })
})
