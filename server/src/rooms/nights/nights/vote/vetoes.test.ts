import { beforeEach, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { removePersonAt } from '../../../../remove-person.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../../testing/make.ts'
import { movableClock } from '../../../../testing/movable-clock.ts'
import { recordingBus } from '../../../../testing/recording-bus.ts'
import { anApp } from '../../../../testing/start-app.ts'
import type { VoteTables } from './vote-store.ts'

const SEEDS = ['5e'.repeat(32)]
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const GONE = { message: 'cardId: This movie was not drawn tonight, or is already decided' }

eachStatement({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const bus = recordingBus()
  const theApp = anApp(theDatabase, { clock, bus })
  let ana: Caller
  let ben: Caller
  let cleo: Caller
  let watchlist: Watchlist
  let nightId: string

  beforeEach(async () => {
    ;[ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser('cleo')]
    const box = ['Alien', 'Brazil', 'Clueless', 'Duel']
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo], box }))
    await openNight()
  })

  const inThis = () => ({ watchlistId: watchlist.id })
  const atNight = () => ({ nightId })
  const arrive = async (by: Caller) => await callOk(theApp(), ENDPOINTS.arriveAtNight, by, { params: atNight() })
  const look = async (by: Caller) => await callOk(theApp(), ENDPOINTS.findVote, by, { params: atNight() })
  const tryVeto = async (by: Caller, cardId: string) =>
    await call(theApp(), ENDPOINTS.vetoCard, by, { params: atNight(), body: { cardId } })
  const move = async (by: Caller, cardId: string, status: 'WATCHED' | 'SUGGESTED') =>
    await call(theApp(), ENDPOINTS.moveCard, by, { params: { ...inThis(), cardId }, body: { status } })
  const boxed = async () => (await callOk(theApp(), ENDPOINTS.countSuggestedCards, ana, { params: inThis() })).count

  async function openNight() {
    ;({ id: nightId } = await callOk(theApp(), ENDPOINTS.openNight, ana, { params: inThis() }))
    await arrive(ben)
    await arrive(cleo)
  }

  /** Ana draws, a minute after what was before. */
  async function draw(): Promise<string> {
    clock.moveAhead(MINUTE_MS)
    const { id } = await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: inThis() })
    clock.moveAhead(MINUTE_MS)
    return id
  }

  test('all see that a card was vetoed, but only the member who drew it is named', async () => {
    const cardId = await draw()
    expect(await look(cleo)).toMatchObject({ revealed: [{ cardId }], wasVetoed: false, vetoesLeft: 2 })

    expect((await tryVeto(ben, cardId)).body).toMatchObject({ revealed: [], wasVetoed: true, vetoesLeft: 1 })

    expect(await boxed()).toBe(4)
    expect(await look(ana)).toMatchObject({ revealed: [], wasVetoed: true, vetoesLeft: 2 })
    const screen = await callOk(theApp(), ENDPOINTS.getNightScreen, ana, { params: atNight() })
    expect(screen).toMatchObject({ movie: null, wasVetoed: true })
    const events = bus.eventsFor(watchlist.id).slice(-3)
    expect(events).toEqual([
      { kind: 'card-changed', watchlistId: watchlist.id, cardId, by: 'ana' },
      { kind: 'box-changed', watchlistId: watchlist.id },
      { kind: 'nights-changed', watchlistId: watchlist.id },
    ])
    const next = await draw()
    expect(await look(ana)).toMatchObject({ wasVetoed: false })
    await move(ana, next, 'SUGGESTED')
    expect(await look(ana)).toMatchObject({ revealed: [], wasVetoed: false })
  })

  test('repeating a veto does not use up a second one', { tags: ['race'] }, async () => {
    const cardId = await draw()

    const replies = await Promise.all([tryVeto(ben, cardId), tryVeto(ben, cardId)])

    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect([await boxed(), (await look(ben)).vetoesLeft]).toEqual([4, 1])
  })

  test('only one of two people who veto at once uses up a veto', { tags: ['race'] }, async () => {
    const cardId = await draw()

    const replies = await Promise.all([tryVeto(ben, cardId), tryVeto(cleo, cardId)])

    const outcome = [
      ...replies.map(({ status }) => status),
      (await look(ben)).vetoesLeft,
      (await look(cleo)).vetoesLeft,
    ]
    expect([
      [200, 400, 1, 2],
      [400, 200, 2, 1],
    ]).toContainEqual(outcome)
    expect(await boxed()).toBe(4)
  })

  test('each member sees the veto budget that the owner has set, even without an open night', async () => {
    const read = async () => (await callOk(theApp(), ENDPOINTS.getVetoBudget, ben, { params: inThis() })).vetoBudget
    await callOk(theApp(), ENDPOINTS.endNight, ana, { params: atNight() })
    expect(await read()).toBe(2)

    await callOk(theApp(), ENDPOINTS.setVetoBudget, ana, { params: inThis(), body: { vetoBudget: 0 } })

    expect(await read()).toBe(0)
  })

  test('only one of two simultaneous vetoes counts if only one is left', { tags: ['race'] }, async () => {
    const body = { vetoBudget: 1 }
    await callOk(theApp(), ENDPOINTS.setVetoBudget, ana, { params: inThis(), body })
    const cards = [await draw(), await draw()]

    const replies = await Promise.all(cards.map(async (cardId) => await tryVeto(ben, cardId)))

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 400]))
    expect(await boxed()).toBe(3)
  })

  test('a veto sent while the night ends either counts completely or is rejected', { tags: ['race'] }, async () => {
    const cardId = await draw()

    const [vetoed] = await Promise.all([
      tryVeto(ben, cardId),
      callOk(theApp(), ENDPOINTS.endNight, ana, { params: atNight() }),
    ])

    const outcome = [vetoed.status, await boxed(), (await look(ben)).vetoesLeft]
    expect([
      [200, 4, 1],
      [400, 3, 2],
    ]).toContainEqual(outcome)
  })

  test('either the veto or the acceptance counts if both are sent at once', { tags: ['race'] }, async () => {
    const cardId = await draw()

    const [vetoed, accepted] = await Promise.all([tryVeto(ben, cardId), move(ana, cardId, 'WATCHED')])

    const outcome = [vetoed.status, accepted.status, await boxed(), (await look(ben)).vetoesLeft]
    expect([
      [200, 404, 4, 1],
      [400, 200, 3, 2],
    ]).toContainEqual(outcome)
  })

  test('a card that is decided, in the box or from before the night cannot be vetoed', async () => {
    await callOk(theApp(), ENDPOINTS.endNight, ana, { params: atNight() })
    const before = await draw()
    await openNight()
    const decided = await draw()
    await move(ana, decided, 'WATCHED')
    const suggestions = await callOk(theApp(), ENDPOINTS.listSuggestions, ana, { params: inThis() })
    const hidden = suggestions.cards[0]?.id ?? ''

    for (const cardId of [before, decided, hidden, 'none']) {
      const { status, body } = await tryVeto(ben, cardId)
      expect([status, body]).toMatchObject([400, GONE])
    }
    expect(await look(ben)).toMatchObject({
      revealed: [],
      accepted: [{ cardId: decided, film: { status: 'WATCHED' } }],
      wasVetoed: false,
      vetoesLeft: 2,
    })
  })

  test.each(['is removed', 'deletes their account'])(
    'a card revealed by a member who %s stays part of the night',
    async (how) => {
      clock.moveAhead(MINUTE_MS)
      const { id: cardId } = await callOk(theApp(), ENDPOINTS.revealRandomCard, ben, { params: inThis() })
      clock.moveAhead(MINUTE_MS)
      const { drawNumber } = await callOk(theApp(), ENDPOINTS.prepareDraw, ben, {
        params: inThis(),
        body: { picks: 3 },
      })
      const body = { drawNumber, seeds: SEEDS }
      const { vote } = await callOk(theApp(), ENDPOINTS.openVote, ben, { params: atNight(), body })
      const ids = vote?.cards.map((card) => card.cardId) ?? []

      clock.moveAhead(MINUTE_MS)
      if (how === 'is removed') {
        const member = { ...inThis(), username: ben.username }
        await callOk(theApp(), ENDPOINTS.removeMember, ana, { params: member })
      } else {
        await theDatabase().transaction(async (trx) => {
          await removePersonAt(clock, systemRandom)(trx, ben.userId)
        })
      }
      for (const by of [ana, cleo]) {
        const scores = Object.fromEntries(ids.map((id, n) => [id, n === 1 ? 2 : 0]))
        await callOk(theApp(), ENDPOINTS.castBallot, by, {
          params: atNight(),
          body: { drawNumber, scores, veto: null },
        })
      }
      await callOk(theApp(), ENDPOINTS.closeVote, ana, { params: atNight(), body: { drawNumber } })

      const { vote: closed, revealed } = await look(ana)
      expect(closed?.winner).toBe(ids[1])
      expect(revealed.map((card) => card.cardId)).toEqual([ids[1], cardId])
      const screen = await callOk(theApp(), ENDPOINTS.getNightScreen, ana, { params: atNight() })
      expect([screen.movie?.id, screen.present.map(({ name }) => name)]).toEqual([ids[1], ['ana', 'cleo']])
      expect((await tryVeto(cleo, ids[1] ?? '')).status).toBe(200)
    },
  )

  test('only people who are at the night can veto', async () => {
    const cardId = await draw()
    await callOk(theApp(), ENDPOINTS.leaveNight, ben, { params: atNight() })

    expect((await tryVeto(ben, cardId)).body).toMatchObject({ message: 'Say that you are here first' })
    expect((await tryVeto(aUser('eve'), cardId)).status).toBe(403)
  })

  test('vetoes on cards and on shortlists share the budget of a month', async () => {
    await tryVeto(ben, await draw())
    const { drawNumber } = await callOk(theApp(), ENDPOINTS.prepareDraw, ana, {
      params: inThis(),
      body: { picks: 3 },
    })
    const body = { drawNumber, seeds: SEEDS }
    const { vote } = await callOk(theApp(), ENDPOINTS.openVote, ana, { params: atNight(), body })
    const ids = vote?.cards.map((card) => card.cardId) ?? []
    expect((await look(ben)).revealed).toEqual([])
    expect((await tryVeto(ben, ids[0] ?? '')).body).toMatchObject({ message: 'cardId: Veto this movie in the vote' })
    const scores = Object.fromEntries(ids.map((id) => [id, 1 as const]))
    const ballot = { drawNumber, scores, veto: ids[0] ?? null }
    await callOk(theApp(), ENDPOINTS.castBallot, ben, { params: atNight(), body: ballot })
    await callOk(theApp(), ENDPOINTS.closeVote, ana, { params: atNight(), body: { drawNumber } })
    const { vote: closed, revealed, vetoesLeft } = await look(ben)
    expect([revealed.map((card) => card.cardId), vetoesLeft]).toEqual([[closed?.winner], 0])

    const rejected = await tryVeto(ben, closed?.winner ?? '')

    expect([rejected.status, rejected.body]).toMatchObject([400, { message: 'You have no veto left this month' }])
    clock.moveAhead(31 * DAY_MS)
    await openNight()
    expect((await look(ben)).vetoesLeft).toBe(2)
  })

  test('a guest has one veto per night, and a member who claims the guest has used it', async () => {
    const guest = { params: atNight(), body: { nickname: 'Lea' } }
    const { token } = await callOk(theApp(), ENDPOINTS.addGuest, ana, guest)
    const headers = { authorization: `Bearer ${token}` }
    const vetoAsGuest = async (cardId: string) =>
      await call(theApp(), ENDPOINTS.vetoCard, undefined, { params: atNight(), headers, body: { cardId } })
    expect((await vetoAsGuest(await draw())).body).toMatchObject({ wasVetoed: true, vetoesLeft: 0 })
    const rejected = await vetoAsGuest(await draw())
    expect([rejected.status, rejected.body]).toMatchObject([400, { message: 'You have no veto left tonight' }])

    await callOk(theApp(), ENDPOINTS.claimNight, cleo, { body: { token } })

    expect((await look(cleo)).vetoesLeft).toBe(1)
  })

  test('the data export lists the vetoes of its user, and deleting the account removes the name from them', async () => {
    const cardId = await draw()
    await tryVeto(ben, cardId)
    const exported = async (by: Caller) =>
      (await callOk(theApp(), ENDPOINTS.exportData, by, {})).watchlists.map(({ vetoes }) => vetoes)
    expect(await exported(ana)).toEqual([[]])
    expect(await exported(ben)).toMatchObject([[{ nightId, cardId }]])

    await theDatabase().transaction(async (trx) => {
      await removePersonAt(clock, systemRandom)(trx, ben.userId)
    })

    const rows = await theDatabase()
      .withTables<VoteTables>()
      .read.selectFrom('night_veto')
      .select(['user_id', 'present'])
      .where('watchlist_id', '=', watchlist.id)
      .execute()
    expect(rows).toEqual([{ user_id: null, present: 3 }])
  })

  test('statistics count a veto on a card only if three people were there', async () => {
    await tryVeto(ben, await draw())
    await callOk(theApp(), ENDPOINTS.leaveNight, cleo, { params: atNight() })
    await tryVeto(ben, await draw())

    const { nights } = await callOk(theApp(), ENDPOINTS.getStatistics, ana, { params: inThis() })

    expect(nights.vetoed).toBe(1)
  })
})
