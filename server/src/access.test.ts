import { expect, test } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, type CallInput, callOk } from './testing/call.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { anApp } from './testing/start-app.ts'

type Who = 'nobody' | 'stranger' | 'strangerToPrivate' | 'member' | 'owner'

/** What each call answers to each caller, when everything else about it is right (design, section 4). */
const ACCESS: Record<EndpointName, Record<Who, number>> = {
  listWatchlists: { nobody: 401, stranger: 200, strangerToPrivate: 200, member: 200, owner: 200 },
  createWatchlist: { nobody: 401, stranger: 201, strangerToPrivate: 201, member: 201, owner: 201 },
  getCurrentWatchlist: { nobody: 401, stranger: 200, strangerToPrivate: 200, member: 200, owner: 200 },
  setCurrentWatchlist: { nobody: 401, stranger: 403, strangerToPrivate: 404, member: 200, owner: 200 },
  getWatchlist: { nobody: 401, stranger: 200, strangerToPrivate: 404, member: 200, owner: 200 },
  updateWatchlist: { nobody: 401, stranger: 403, strangerToPrivate: 404, member: 200, owner: 200 },
  listCards: { nobody: 401, stranger: 200, strangerToPrivate: 404, member: 200, owner: 200 },
  countSuggestedCards: { nobody: 401, stranger: 403, strangerToPrivate: 404, member: 200, owner: 200 },
  addCard: { nobody: 401, stranger: 403, strangerToPrivate: 404, member: 201, owner: 201 },
  revealRandomCard: { nobody: 401, stranger: 403, strangerToPrivate: 404, member: 200, owner: 200 },
  moveCard: { nobody: 401, stranger: 403, strangerToPrivate: 404, member: 200, owner: 200 },
}

const BODIES: Partial<Record<EndpointName, (watchlistId: string) => unknown>> = {
  createWatchlist: () => ({ name: 'Films' }),
  setCurrentWatchlist: (watchlistId) => ({ watchlistId }),
  updateWatchlist: () => ({ name: 'Changed', description: 'Changed' }),
  addCard: () => ({ title: 'Stalker', image: 'https://example.org/stalker.jpg' }),
  moveCard: () => ({ status: 'WATCHED' }),
}

const names = Object.keys(ENDPOINTS) as EndpointName[]
const rows = names.flatMap((name) =>
  (Object.keys(ACCESS[name]) as Who[]).map((who): [EndpointName, Who] => [name, who]),
)

eachDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  async function scene(who: Who) {
    const member = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), {
      members: [member],
      isPrivate: who === 'strangerToPrivate',
    })
    await aCard(theApp(), { inside: watchlist, by: owner })
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
    const stranger = aUser('eve')
    const callers = { nobody: undefined, stranger, strangerToPrivate: stranger, member, owner }
    const params = { watchlistId: watchlist.id, cardId: card.id }
    /** All that a call could have changed, as the owner sees it. */
    const look = async () => [
      await callOk(theApp(), ENDPOINTS.getWatchlist, owner, { params }),
      await callOk(theApp(), ENDPOINTS.listCards, owner, { params }),
      await callOk(theApp(), ENDPOINTS.countSuggestedCards, owner, { params }),
    ]
    return { caller: callers[who], params, look }
  }

  test.each(rows)('%s as %s', async (name, who) => {
    const { caller, params, look } = await scene(who)
    const body = BODIES[name]?.(params.watchlistId)
    const input: CallInput = { params, ...(body !== undefined && { body }) }
    const before = await look()

    const answer = await call(theApp(), ENDPOINTS[name], caller, input)

    expect(answer.status).toBe(ACCESS[name][who])
    if (answer.status < 400) return
    expect(answer.body.type).toBe(answer.status === 404 ? 'NOT_FOUND' : 'UNAUTHORIZED')
    expect(await look()).toEqual(before)
  })

  test.each(names.filter((name) => ENDPOINTS[name].path.includes(':')))(
    '%s of a watchlist that does not exist is not found',
    async (name) => {
      const body = BODIES[name]?.('none')
      const params = { watchlistId: 'none', cardId: 'none' }

      const answer = await call(theApp(), ENDPOINTS[name], aUser(), { params, ...(body !== undefined && { body }) })

      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ type: 'NOT_FOUND', message: 'Resource not found' })
    },
  )

  test.each([
    ['no header', undefined, 'Bearer realm="marquee"'],
    ['another scheme', 'Basic YW5hOmFuYQ==', 'Bearer realm="marquee"'],
    ['a token that is none', 'Bearer nonsense', 'Bearer realm="marquee", error="invalid_token"'],
  ])('%s is answered with 401 and how to do it right', async (_what, authorization, challenge) => {
    const headers = authorization === undefined ? {} : { authorization }

    const answer = await call(theApp(), ENDPOINTS.listWatchlists, undefined, { headers })

    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ type: 'UNAUTHORIZED', message: 'Unauthorized access' })
    expect(answer.headers['www-authenticate']).toBe(challenge)
  })

  test('who is not signed in is told so before the body is looked at', async () => {
    const answer = await call(theApp(), ENDPOINTS.createWatchlist, undefined, { body: 'not json' })

    expect(answer.status).toBe(401)
  })
})
