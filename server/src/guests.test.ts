import { describe, expect, test } from 'vitest'

import { type Endpoint, type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, callOk } from './testing/call.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { anObservedApp } from './testing/observed-app.ts'
import { openStream } from './testing/open-stream.ts'
import { aScene, BODIES, type CallName, isCall } from './testing/scene.ts'
import { anApp } from './testing/start-app.ts'

/** What non-members may read by link; guests too, if they are allowed. */
const READS: readonly CallName[] = ['getWatchlist', 'listCards', 'listLibrary', 'getCard', 'listComments']

const OTHERS = (Object.keys(ENDPOINTS) as EndpointName[])
  .filter(isCall)
  .filter((name) => ENDPOINTS[name].auth !== 'none' && !READS.includes(name))

anyDatabase({ product: productMigrations }, (theDatabase) => {
  describe('a server that allows guests', () => {
    const { theApp, changesDuring } = anObservedApp(theDatabase, { allowGuests: true })
    let refused: ReturnType<typeof aScene> | undefined
    /** Refused calls change nothing, so they share one scene. */
    const theScene = async () => await (refused ??= aScene(theApp(), 'guest'))

    test.each(READS)('%s gives a guest the same reply as a stranger', async (name) => {
      const { params, caller } = await aScene(theApp(), 'stranger')

      const answer = await call(theApp(), ENDPOINTS[name], undefined, { params })

      expect(answer.status).toBe(200)
      expect(answer.body).toEqual((await call(theApp(), ENDPOINTS[name], caller, { params })).body)
    })

    test.each(READS)('%s gives a guest 404 for a private watchlist', async (name) => {
      const { params } = await aScene(theApp(), 'strangerToPrivate')

      expect((await call(theApp(), ENDPOINTS[name], undefined, { params })).status).toBe(404)
    })

    test.each(OTHERS)('%s requires a sign-in', async (name) => {
      const { params, given } = await theScene()
      const body = BODIES[name]?.(given)

      const changes = await changesDuring(async () => {
        const input = { params, ...(body !== undefined && { body }) }
        expect((await call(theApp(), ENDPOINTS[name], undefined, input)).status).toBe(401)
      })

      expect(changes).toEqual([])
    })

    test('a caller with an invalid token gets 401 and is not treated as a guest', async () => {
      const { params } = await aScene(theApp(), 'guest')

      const answer = await call(theApp(), ENDPOINTS.getWatchlist, undefined, {
        params,
        headers: { authorization: 'Bearer nonsense' },
      })

      expect(answer.status).toBe(401)
    })

    test('a guest gets live events until the watchlist becomes private', async () => {
      const { watchlist, owner } = await aWatchlist(theApp(), { owner: aUser() })
      const params = { watchlistId: watchlist.id }
      const origin = await theApp().app.listen({ host: '127.0.0.1', port: 0 })
      const stream = await openStream(`${origin}/api/watchlists/${watchlist.id}/events`)

      await aCard(theApp(), { inside: watchlist, by: owner })
      await callOk(theApp(), ENDPOINTS.updateWatchlist, owner, { params, body: { name: 'New' } })
      // The count of the box is for members, so the first event is about the name.
      expect((await stream.next()).kind).toBe('watchlist-changed')
      await callOk(theApp(), ENDPOINTS.setWatchlistPrivacy, owner, { params, body: { isPrivate: true } })

      await stream.ended
      expect((await openStream(`${origin}/api/watchlists/${watchlist.id}/events`)).status).toBe(404)
    })

    test('/config.json says that guests are allowed', async () => {
      const { features } = (await theApp().app.inject('/config.json')).json<{ features: { guests: boolean } }>()

      expect(features.guests).toBe(true)
    })
  })

  describe('a server that does not allow guests', () => {
    const theApp = anApp(theDatabase)

    test.each<keyof typeof ENDPOINTS>([...READS, 'watchlistEvents'])('%s requires a sign-in', async (name) => {
      const { watchlist } = await aWatchlist(theApp(), { owner: aUser() })
      const endpoint: Endpoint = ENDPOINTS[name]

      const answer = await call(theApp(), endpoint, undefined, { params: { watchlistId: watchlist.id } })

      expect(answer.status).toBe(401)
    })
  })
})
