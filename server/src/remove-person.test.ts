import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { systemRandom } from '@marquee/platform/runtime/random'
import { localEventBus } from '@marquee/platform/events/bus'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { systemClock } from '@marquee/platform/runtime/clock'

import { productMigrations } from './migrations/index.ts'
import { removePersonAt } from './remove-person.ts'
import type { InvitationTables } from './rooms/club/invitations/store.ts'
import { factsTo } from './rooms/news/facts/service.ts'
import { createLive } from './rooms/news/live/service.ts'
import type { Tables } from './tables.ts'
import { call, type Caller, callOk } from './testing/call.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { anApp } from './testing/start-app.ts'

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  const remove = async ({ userId }: Caller) => {
    await theDatabase().transaction(async (trx) => {
      await removePersonAt(systemClock, systemRandom)(trx, userId)
    })
  }

  test('the member who joined first inherits the watchlist of a deleted user, whose cards stay', async () => {
    const [ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser('cleo')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] })
    const params = { watchlistId: watchlist.id }
    const card = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })

    await remove(ana)

    const seen = await callOk(theApp(), ENDPOINTS.getWatchlist, ben, { params })
    expect(seen.ownerId).toBe('ben')
    expect(seen.members?.map((member) => member.username)).toEqual(['ben', 'cleo'])
    const { cards } = await callOk(theApp(), ENDPOINTS.listCards, cleo, { params, query: {} })
    expect(cards.map(({ id, creatorId }) => [id, creatorId])).toEqual([[card.id, 'ana']])
    expect((await call(theApp(), ENDPOINTS.deleteWatchlist, ben, { params })).status).toBe(204)
  })

  test('the deletion of an account sends live events to each watchlist, after the commit', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const own = (await aWatchlist(theApp(), { owner: ana, members: [ben] })).watchlist
    const joined = (await aWatchlist(theApp(), { owner: ben, members: [ana] })).watchlist
    const alone = (await aWatchlist(theApp(), { owner: ana })).watchlist
    const bus = localEventBus()
    const heard: string[] = []
    for (const [name, { id }] of Object.entries({ own, joined, alone })) {
      bus.subscribe(`watchlist:${id}`, (event) =>
        heard.push(`${name}: ${(JSON.parse(event) as { kind: string }).kind}`),
      )
    }
    const live = createLive(bus)
    const { publish } = factsTo({ random: systemRandom, live, wakeActivities: () => undefined })

    const announce = await theDatabase().transaction(
      async (trx) => await removePersonAt(systemClock, systemRandom, publish)(trx, ana.userId),
    )
    expect(heard).toEqual([])
    announce()

    expect(heard.toSorted()).toEqual([
      'alone: watchlist-deleted',
      'joined: members-changed',
      'own: members-changed',
      'own: watchlist-changed',
    ])
  })

  test('the imports of a deleted user are removed', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const params = { watchlistId: watchlist.id }
    const body = { fileName: 'films.txt', fileData: 'U3RhbGtlcg==' }
    await callOk(theApp(), ENDPOINTS.beginImport, ben, { params, body })

    await remove(ben)

    const rows = theDatabase().withTables<Tables>().read.selectFrom('import_row').select('title')
    expect(await rows.where('user_id', '=', ben.userId).execute()).toEqual([])
  })

  test('the ratings of a deleted user are removed, even in a watchlist that they had left', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'WATCHED' })
    const params = { watchlistId: watchlist.id, cardId: card.id, username: 'ben' }
    await callOk(theApp(), ENDPOINTS.saveViewing, ben, { params, body: { stars: 5 } })
    await callOk(theApp(), ENDPOINTS.removeMember, owner, { params })

    await remove(ben)

    const { seenBy } = await callOk(theApp(), ENDPOINTS.saveViewing, owner, { params, body: {} })
    expect(seenBy).toEqual(['ana'])
  })

  test('the personal tokens of a deleted user stop working', async () => {
    const ben = aUser('ben')
    const body = { name: 'Backup', scope: 'read', days: 7 }
    const { token } = await callOk(theApp(), ENDPOINTS.createPersonalToken, ben, { body })

    await remove(ben)

    const headers = { authorization: `Bearer ${token}` }
    expect((await call(theApp(), ENDPOINTS.getOwnProfile, undefined, { headers })).status).toBe(401)
  })

  test('the join links of a deleted user stop working', async () => {
    const ben = aUser('ben')
    const { watchlist } = await aWatchlist(theApp(), { members: [ben] })
    const params = { watchlistId: watchlist.id }
    const { token } = await callOk(theApp(), ENDPOINTS.createJoinLink, ben, { params, body: { days: 7, maxUses: 1 } })

    await remove(ben)

    expect((await call(theApp(), ENDPOINTS.previewJoinLink, undefined, { body: { token } })).status).toBe(404)
  })

  test('the invitations of a deleted user are no longer pending, and their places are free', async () => {
    const [ben, cleo] = [aUser('ben'), aUser('cleo')]
    const { watchlist, owner: ana } = await aWatchlist(theApp())
    const params = { watchlistId: watchlist.id }
    for (const { username } of [ben, cleo]) {
      await callOk(theApp(), ENDPOINTS.inviteUser, ana, { params, body: { username } })
    }

    await remove(ben)

    const pending = await callOk(theApp(), ENDPOINTS.listPendingInvitations, ana, { params })
    expect(pending.map(({ username }) => username)).toEqual(['cleo'])
    const { read } = theDatabase().withTables<InvitationTables>()
    const kept = read.selectFrom('person_invitation').select('username').where('watchlist_id', '=', watchlist.id)
    expect(await kept.execute()).toEqual([{ username: 'cleo' }])
  })

  test('a watchlist of a deleted user is deleted with its invitations, unless it has other members', async () => {
    const [ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser('cleo')]
    const alone = (await aWatchlist(theApp(), { owner: ana })).watchlist
    const shared = (await aWatchlist(theApp(), { owner: ben, members: [ana] })).watchlist
    await callOk(theApp(), ENDPOINTS.inviteUser, ana, {
      params: { watchlistId: alone.id },
      body: { username: cleo.username },
    })

    await remove(ana)

    const look = async (watchlistId: string) =>
      await call(theApp(), ENDPOINTS.getWatchlist, ben, { params: { watchlistId } })
    expect((await look(alone.id)).status).toBe(404)
    const { body } = await look(shared.id)
    expect(body.ownerId).toBe('ben')
    expect(body.members).toHaveLength(1)
    expect(await callOk(theApp(), ENDPOINTS.listReceivedInvitations, cleo, {})).toEqual([])
    expect(await callOk(theApp(), ENDPOINTS.listWatchlists, ana, {})).toEqual([])
  })
})
