import { randomUUID } from 'node:crypto'

import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, callOk, type Caller } from '../../../testing/call.ts'
import { aWatchlist } from '../../../testing/make.ts'
import { ageSignIn } from '../../../testing/test-accounts.ts'
import { anApp } from '../../../testing/start-app.ts'

const aPerson = (): Caller => ({ userId: randomUUID(), username: `zoe-${randomUUID().slice(0, 8)}` })
const image = 'https://posters.example.org/alien.jpg'

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  test('an export has what a user revealed and wrote, and no card in the box', async () => {
    const zoe = aPerson()
    const { id: watchlistId } = await callOk(theApp(), ENDPOINTS.createWatchlist, zoe, { body: { name: 'Films' } })
    const params = { watchlistId }
    await callOk(theApp(), ENDPOINTS.addCard, zoe, { params, body: { title: 'Alien', image } })
    const { id: cardId } = await callOk(theApp(), ENDPOINTS.revealRandomCard, zoe, { params })
    await callOk(theApp(), ENDPOINTS.addComment, zoe, {
      params: { watchlistId, cardId },
      body: { content: 'In space' },
    })
    await callOk(theApp(), ENDPOINTS.saveViewing, zoe, { params: { watchlistId, cardId }, body: { stars: 4.5 } })
    await callOk(theApp(), ENDPOINTS.addCard, zoe, { params, body: { title: 'A secret', image } })

    const exported = await callOk(theApp(), ENDPOINTS.exportData, zoe)

    expect(exported.profile).toMatchObject({ username: zoe.username })
    expect(exported.watchlists).toMatchObject([
      {
        id: watchlistId,
        cards: [{ cardId, title: 'Alien' }],
        comments: [{ cardId, content: 'In space' }],
        viewings: [{ cardId, stars: 4.5 }],
      },
    ])
    expect(JSON.stringify(exported)).not.toContain('A secret')
  })

  test('an export has the movies that the user wants, titled as the user wrote them', async () => {
    const [zoe, eve] = [aPerson(), aPerson()]
    const { watchlist } = await aWatchlist(theApp(), { owner: eve, members: [zoe] })
    const params = { watchlistId: watchlist.id }
    await callOk(theApp(), ENDPOINTS.addCard, eve, { params, body: { title: 'ALIEN!', image } })
    await callOk(theApp(), ENDPOINTS.wantMovie, zoe, { params, body: { title: 'Alien' } })

    const [exported] = (await callOk(theApp(), ENDPOINTS.exportData, zoe)).watchlists

    expect(exported?.wants.map(({ title }) => title)).toEqual(['Alien'])
    expect(JSON.stringify(exported)).not.toContain('ALIEN!')
  })

  test('an export has nothing from watchlists of other users', async () => {
    const [zoe, eve] = [aPerson(), aPerson()]
    const { id: watchlistId } = await callOk(theApp(), ENDPOINTS.createWatchlist, eve, { body: { name: 'Hers' } })
    const params = { watchlistId }
    await callOk(theApp(), ENDPOINTS.addCard, eve, { params, body: { title: 'Alien', image } })

    expect((await callOk(theApp(), ENDPOINTS.exportData, zoe)).watchlists).toEqual([])
  })

  // Evidence: asvs-10.3.4
  test('new recovery codes and an export require a recent sign-in', async () => {
    const zoe = aPerson()
    await callOk(theApp(), ENDPOINTS.makeRecoveryCodes, zoe)
    ageSignIn(zoe)

    for (const endpoint of [ENDPOINTS.makeRecoveryCodes, ENDPOINTS.exportData]) {
      const { status, body } = await call(theApp(), endpoint, zoe)
      expect({ status, body }).toEqual({
        status: 403,
        body: { type: 'UNAUTHORIZED', message: 'Please sign in again to do this' },
      })
    }
    await callOk(theApp(), ENDPOINTS.countRecoveryCodes, zoe)
  })

  test('an invalid page token of the account activity is rejected by name', async () => {
    const answer = await call(theApp(), ENDPOINTS.listSecurityEvents, aPerson(), { query: { nextToken: 'made-up' } })

    expect(answer.status).toBe(400)
  })
})
