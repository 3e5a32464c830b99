import { beforeEach, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp } from '../../../testing/start-app.ts'

eachStatement({ product: productMigrations }, (theDatabase) => {
  const bus = recordingBus()
  const theApp = anApp(theDatabase, { bus })
  let ana: Caller
  let ben: Caller
  let cleo: Caller
  let watchlist: Watchlist

  beforeEach(async () => {
    ;[ana, ben, cleo] = [aUser('ana'), aUser('Ben Ö'), aUser('cleo')]
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] }))
  })

  const params = () => ({ watchlistId: watchlist.id })
  const remove = async (username: string, by: Caller) =>
    await call(theApp(), ENDPOINTS.removeMember, by, { params: { ...params(), username } })
  const membersOf = async () =>
    (await callOk(theApp(), ENDPOINTS.getWatchlist, ana, { params: params() })).members?.map((one) => one.username)

  test('a member who leaves is removed from the members, and the watchlist from their list', async () => {
    await callOk(theApp(), ENDPOINTS.setCurrentWatchlist, ben, { body: params() })

    const { status } = await remove('Ben Ö', ben)

    expect(status).toBe(204)
    expect(await membersOf()).toEqual(['ana', 'cleo'])
    expect(await callOk(theApp(), ENDPOINTS.listWatchlists, ben)).toEqual([])
    expect(await callOk(theApp(), ENDPOINTS.getCurrentWatchlist, ben)).toEqual({ currentWatchlistId: null })
    expect((await call(theApp(), ENDPOINTS.countSuggestedCards, ben, { params: params() })).status).toBe(403)
    expect(bus.kindsFor(watchlist.id)).toEqual(['members-changed'])
  })

  test('the owner can remove a member, whatever the case of the name', async () => {
    const { status } = await remove(' BEN ö ', ana)

    expect(status).toBe(204)
    expect(await membersOf()).toEqual(['ana', 'cleo'])
  })

  test('the cards and comments of a former member keep the member’s name, even in the box', async () => {
    const shown = await aCard(theApp(), { inside: watchlist, by: ben, status: 'REVEALED', title: 'Stalker' })
    await aCard(theApp(), { inside: watchlist, by: ben, title: 'Solaris' })
    const inCard = { ...params(), cardId: shown.id }
    await callOk(theApp(), ENDPOINTS.addComment, ben, { params: inCard, body: { content: 'Tonight!' } })

    await remove('Ben Ö', ben)

    const { cards } = await callOk(theApp(), ENDPOINTS.listCards, ana, { params: params() })
    expect(cards).toMatchObject([
      { title: 'Stalker', creatorId: 'Ben Ö', lastComments: [{ content: 'Tonight!', authorId: 'Ben Ö' }] },
    ])
    const drawn = await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: params() })
    expect(drawn).toMatchObject({ title: 'Solaris', creatorId: 'Ben Ö' })
  })

  test('a member who left can be invited and join again', async () => {
    await remove('Ben Ö', ben)
    const { token } = await callOk(theApp(), ENDPOINTS.inviteUser, ana, {
      params: params(),
      body: { username: ben.username },
    })

    await callOk(theApp(), ENDPOINTS.acceptInvitation, ben, { body: { token } })

    expect(await membersOf()).toEqual(['ana', 'cleo', 'Ben Ö'])
  })

  test('a member who left and joined again has no current watchlist', async () => {
    await aWatchlist(theApp(), { owner: ben })
    await callOk(theApp(), ENDPOINTS.setCurrentWatchlist, ben, { body: params() })
    await remove('Ben Ö', ben)
    const invited = { params: params(), body: { username: ben.username } }
    const { token } = await callOk(theApp(), ENDPOINTS.inviteUser, ana, invited)

    await callOk(theApp(), ENDPOINTS.acceptInvitation, ben, { body: { token } })

    expect(await callOk(theApp(), ENDPOINTS.getCurrentWatchlist, ben)).toEqual({ currentWatchlistId: null })
  })

  test('removing a member withdraws their invitations, but those of other members and of one who left stay', async () => {
    const guests = [aUser('ben 2'), aUser('cleo 2'), aUser('ana 2')] as const
    const inviters = [ben, cleo, ana]
    for (const [n, guest] of guests.entries())
      await callOk(theApp(), ENDPOINTS.inviteUser, inviters[n] ?? ana, {
        params: params(),
        body: { username: guest.username },
      })
    const before = bus.kindsFor(watchlist.id).length

    await remove('Ben Ö', ana)
    const kinds = bus.kindsFor(watchlist.id).slice(before)
    await remove('cleo', cleo)

    const answers = []
    for (const guest of guests)
      answers.push((await call(theApp(), ENDPOINTS.acceptReceivedInvitation, guest, { params: params() })).status)
    expect(answers).toEqual([404, 200, 200])
    expect(await membersOf()).toEqual(['ana', 'cleo 2', 'ana 2'])
    expect(kinds.toSorted()).toEqual(['invitations-changed', 'members-changed'])
    expect(await callOk(theApp(), ENDPOINTS.listReceivedInvitations, guests[0])).toEqual([])
  })

  test('the owner cannot leave, and the error says what to do instead', async () => {
    const { status, body } = await remove('ana', ana)

    expect(status).toBe(400)
    expect(body).toEqual({
      type: 'BAD_REQUEST',
      message: 'The owner cannot leave: hand the watchlist over to another member or delete it first',
    })
    expect(await membersOf()).toEqual(['ana', 'Ben Ö', 'cleo'])
  })

  test.each([
    ['another member', 'cleo'],
    ['the owner', 'ana'],
    ['a user who is not a member', 'unknown'],
  ])('a member cannot remove %s', async (_whom, username) => {
    const { status } = await remove(username, ben)

    expect(status).toBe(403)
    expect(await membersOf()).toEqual(['ana', 'Ben Ö', 'cleo'])
  })

  test('removing a user who is not a member gets 404', async () => {
    expect((await remove('unknown', ana)).status).toBe(404)
  })

  test('only one of several simultaneous calls to leave succeeds', { tags: ['race'] }, async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, async () => await remove('Ben Ö', ben)))

    const statuses = answers.map(({ status }) => String(status)).toSorted()
    expect(statuses).toEqual(['204', '403', '403', '403', '403', '403'])
    const { body } = await call(theApp(), ENDPOINTS.inviteUser, ana, {
      params: params(),
      body: { username: ben.username },
    })
    expect(body.username).toBe('Ben Ö')
  })
})
