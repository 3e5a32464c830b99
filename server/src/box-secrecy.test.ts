import { beforeAll, describe, expect, test } from 'vitest'

import type { Card } from '@marquee/contract/entities/card'
import { type Endpoint, ENDPOINTS } from '@marquee/contract/endpoints'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { type Caller, call, type CallInput, callOk } from './testing/call.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { openStream } from './testing/open-stream.ts'
import { anApp } from './testing/start-app.ts'
import { testToken } from './testing/test-accounts.ts'

/** The former member had put a card into the box. */
const OBSERVERS = ['member', 'former member', 'stranger', 'guest'] as const
type Observer = (typeof OBSERVERS)[number]

/** Everything that an observer can read. `card` is in the box and was made by another user. */
const CHANNELS = {
  feed: ['listCards'],
  'the library': ['listLibrary'],
  'the watchlist': ['getWatchlist'],
  'a card of the feed': ['getCard'],
  'its comments': ['listComments'],
  'who has seen its movie': ['listViewings'],
  'the count of the box': ['countSuggestedCards'],
  'the match of a movie': ['matchMovie'],
  'the draws': ['listDraws'],
  'the movie nights': ['listNights'],
  'the own watchlists': ['listWatchlists'],
  'the own profile': ['getOwnProfile'],
  "the filler's profile": ['getProfile'],
  'the own data': ['exportData'],
  'the own imports': ['listImports'],
  'the own suggestions': ['listSuggestions'],
  'the own wants': ['listWants'],
  'the export': ['exportWatchlist'],
  'the statistics': ['getStatistics'],
  'invitations received': ['listReceivedInvitations'],
  'invitations pending': ['listPendingInvitations'],
  'join links': ['listJoinLinks'],
} as const satisfies Record<string, [keyof typeof ENDPOINTS]>
type Channel = keyof typeof CHANNELS

/** The calls about one card, each with a valid body. */
const ATTEMPTS: [string, Endpoint, CallInput['body']?][] = [
  ['read', ENDPOINTS.getCard],
  ['put back', ENDPOINTS.moveCard, { status: 'SUGGESTED' }],
  ['decline', ENDPOINTS.moveCard, { status: 'REJECTED' }],
  ['accept', ENDPOINTS.moveCard, { status: 'WATCHED' }],
  ['edit', ENDPOINTS.editCard, { title: 'Changed' }],
  ['delete', ENDPOINTS.deleteCard],
  ['read the comments of', ENDPOINTS.listComments],
  ['mark as seen', ENDPOINTS.saveViewing, { stars: 4 }],
  ['remove the mark of', ENDPOINTS.deleteViewing],
  ['comment on', ENDPOINTS.addComment, { content: 'Tonight?' }],
  ['edit a comment of', ENDPOINTS.editComment, { content: 'Tomorrow?' }],
  ['delete a comment of', ENDPOINTS.deleteComment],
]

const matrix = <T>(columns: readonly T[]) => OBSERVERS.flatMap((who) => columns.map((column) => [who, column] as const))

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase, { allowGuests: true })

  const filler = aUser('ben')
  const observers: Record<Observer, Caller | undefined> = {
    member: aUser('cleo'),
    'former member': aUser('dora'),
    stranger: aUser('eve'),
    guest: undefined,
  }
  const former = observers['former member'] ?? filler
  const formersKey = { 'idempotency-key': systemRandom.uuid() }
  const formersCard = { title: 'Ikiru', image: 'https://example.org/ikiru.jpg' }
  let watchlistId: string
  let owner: Caller
  let shown: Card
  let secret: Card
  let deleted: Card

  beforeAll(async () => {
    const members = [filler, former, observers.member ?? filler]
    const made = await aWatchlist(theApp(), { members })
    watchlistId = made.watchlist.id
    owner = made.owner
    const params = { watchlistId }
    shown = await aCard(theApp(), { inside: made.watchlist, by: filler, status: 'REVEALED' })
    secret = await aCard(theApp(), { inside: made.watchlist, by: filler })
    deleted = await aCard(theApp(), { inside: made.watchlist, by: filler })
    await callOk(theApp(), ENDPOINTS.deleteCard, filler, { params: { ...params, cardId: deleted.id } })
    await callOk(theApp(), ENDPOINTS.addCard, former, { params, body: formersCard, headers: formersKey })
    await callOk(theApp(), ENDPOINTS.removeMember, owner, { params: { ...params, username: former.username } })
  })

  /** Every change of the box that a member can make. */
  async function changeBox(): Promise<void> {
    const card = await aCard(theApp(), { inside: { id: watchlistId }, by: filler })
    const params = { watchlistId, cardId: card.id }
    await callOk(theApp(), ENDPOINTS.editCard, filler, { params, body: { title: 'A secret' } })
    await aCard(theApp(), { inside: { id: watchlistId }, by: filler, title: 'Playtime' })
    await callOk(theApp(), ENDPOINTS.wantMovie, owner, { params, body: { title: 'Playtime' } })
    const { wants } = await callOk(theApp(), ENDPOINTS.listWants, owner, { params })
    await callOk(theApp(), ENDPOINTS.unwantMovie, owner, { params: { ...params, wantId: wants[0]?.wantId ?? '' } })
    await callOk(theApp(), ENDPOINTS.deleteCard, filler, { params })
  }

  async function see(who: Observer, channel: Channel) {
    const [name] = CHANNELS[channel]
    const query = { title: 'Playtime' }
    const endpoint: Endpoint = ENDPOINTS[name]
    const params = { watchlistId, cardId: shown.id, username: filler.username }
    const { status, headers, body } = await call(theApp(), endpoint, observers[who], {
      params,
      ...(name === 'matchMovie' && { query }),
      ...(name === 'listViewings' && { query: { cards: `${shown.id},${secret.id}` } }),
    })
    return { status, etag: headers['etag'], body: { ...Object(body), exportedAt: undefined } as unknown }
  }

  const unchanged = matrix(Object.keys(CHANNELS) as Channel[]).filter(
    // Members see the count of the box, and whether a movie is in it.
    ([who, channel]) => !(who === 'member' && ['the count of the box', 'the match of a movie'].includes(channel)),
  )

  test.each(unchanged)('a %s does not notice a change of the box in %s', async (who, channel) => {
    const before = await see(who, channel)

    await changeBox()

    expect(await see(who, channel)).toEqual(before)
  })

  describe('calls about a card in the box are answered as for a deleted card', () => {
    const attempts = matrix(ATTEMPTS).map(([who, [what, endpoint, body]]) => ({ who, what, endpoint, body }))

    test.each(attempts)('a $who gets the same answer as for a deleted card: $what', async ({ who, endpoint, body }) => {
      const attempt = async (cardId: string) => {
        const params = { watchlistId, cardId, commentId: 'none' }
        const answer = await call(theApp(), endpoint, observers[who], { params, ...(body !== undefined && { body }) })
        return { status: answer.status, body: answer.body }
      }

      const answer = await attempt(secret.id)

      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer).toEqual(await attempt(deleted.id))
    })

    test.each(ATTEMPTS.filter(([what]) => what !== 'edit' && what !== 'delete'))(
      'the creator gets the same answer as for a deleted card: %s',
      async (_what, endpoint, body) => {
        const params = { watchlistId, cardId: secret.id, commentId: 'none' }

        const answer = await call(theApp(), endpoint, filler, { params, ...(body !== undefined && { body }) })

        expect([answer.status, answer.body]).toEqual([404, { type: 'NOT_FOUND', message: 'Resource not found' }])
      },
    )
  })

  test('members get an event without a name when the box changes, and other readers get none', async () => {
    const origin = await theApp().app.listen({ host: '127.0.0.1', port: 0 })
    const streams = await Promise.all(
      OBSERVERS.map(async (who) => {
        const caller = observers[who]
        return await openStream(`${origin}/api/watchlists/${watchlistId}/events`, caller && testToken(caller))
      }),
    )

    await changeBox()
    await callOk(theApp(), ENDPOINTS.updateWatchlist, owner, { params: { watchlistId }, body: { name: 'The end' } })
    const heard = await Promise.all(
      streams.map(async (stream) => {
        const events = [await stream.next()]
        while (events.at(-1)?.kind !== 'watchlist-changed') events.push(await stream.next())
        stream.leave()
        return events
      }),
    )

    const box = { kind: 'box-changed', watchlistId }
    const end = { kind: 'watchlist-changed', watchlistId, by: owner.username }
    expect(heard).toEqual([[box, box, box, end], [end], [end], [end]])
  })

  test('a former member who repeats a request with its key gets 403, not the stored reply', async () => {
    const repeat = { params: { watchlistId }, body: formersCard, headers: formersKey }

    const { status, headers, body } = await call(theApp(), ENDPOINTS.addCard, former, repeat)

    expect([status, body]).toEqual([403, { type: 'UNAUTHORIZED', message: 'Unauthorized access' }])
    expect(headers['idempotency-replayed']).toBeUndefined()
  })
})
