import { beforeEach, describe, expect, test } from 'vitest'

import { type Body, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import type { Ballot, NightVoteState } from '@marquee/contract/entities/vote'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { removePersonAt } from '../../../../remove-person.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../../testing/make.ts'
import { movableClock } from '../../../../testing/movable-clock.ts'
import { recordingBus } from '../../../../testing/recording-bus.ts'
import { anApp } from '../../../../testing/start-app.ts'
import type { CardTables } from '../../../movies/cards/card/store.ts'
import { countVotes } from './count-votes.ts'
import type { VoteTables } from './vote-store.ts'

const DAY_MS = 24 * 60 * 60_000
const SEEDS = ['5e'.repeat(32)]

type Points = 0 | 1 | 2

describe('the count', () => {
  const ballot = (a: Points, b: Points, c: Points, veto: string | null = null): Ballot => ({
    scores: { a, b, c },
    veto,
  })

  test('the card with the highest total wins', () => {
    expect(countVotes(['a', 'b', 'c'], [ballot(0, 1, 2), ballot(2, 1, 2)])).toEqual({
      winner: 'c',
      cards: [
        { cardId: 'a', total: 2, isVetoed: false },
        { cardId: 'b', total: 2, isVetoed: false },
        { cardId: 'c', total: 4, isVetoed: false },
      ],
    })
  })

  test('a vetoed card cannot win', () => {
    expect(countVotes(['a', 'b', 'c'], [ballot(0, 1, 2), ballot(0, 0, 2, 'c')]).winner).toBe('b')
  })

  test('the card that was drawn first wins if totals are equal', () => {
    expect(countVotes(['b', 'a', 'c'], [ballot(2, 0, 2), ballot(0, 2, 0)]).winner).toBe('b')
  })

  test('no card wins if all are vetoed, or no one has voted', () => {
    const all = [ballot(2, 2, 2, 'a'), ballot(2, 2, 2, 'b'), ballot(2, 2, 2, 'c')]
    expect([countVotes(['a', 'b', 'c'], all).winner, countVotes(['a'], []).winner]).toEqual([null, null])
  })

  test('a deleted card is not counted', () => {
    expect(countVotes(['a', 'b'], [ballot(0, 1, 2)])).toMatchObject({ winner: 'b', cards: [{ cardId: 'a' }, {}] })
  })
})

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
    nightId = await openNight()
    await arrive(ben)
  })

  const inThis = () => ({ watchlistId: watchlist.id })
  const atNight = () => ({ nightId })
  const openNight = async () => (await callOk(theApp(), ENDPOINTS.openNight, ana, { params: inThis() })).id
  const arrive = async (by: Caller) => await callOk(theApp(), ENDPOINTS.arriveAtNight, by, { params: atNight() })
  const leave = async (by: Caller) => await callOk(theApp(), ENDPOINTS.leaveNight, by, { params: atNight() })
  const prepare = async (picks = 3) =>
    (await callOk(theApp(), ENDPOINTS.prepareDraw, ana, { params: inThis(), body: { picks } })).drawNumber
  const tryOpen = async (drawNumber: number, by = ana) =>
    await call(theApp(), ENDPOINTS.openVote, by, { params: atNight(), body: { drawNumber, seeds: SEEDS } })
  const look = async (by: Caller) => (await callOk(theApp(), ENDPOINTS.findVote, by, { params: atNight() })).vote
  const tryCast = async (by: Caller, body: Body<typeof ENDPOINTS.castBallot>) =>
    await call(theApp(), ENDPOINTS.castBallot, by, { params: atNight(), body })
  const tryClose = async (by: Caller, drawNumber: number) =>
    await call(theApp(), ENDPOINTS.closeVote, by, { params: atNight(), body: { drawNumber } })
  const feed = async () => (await callOk(theApp(), ENDPOINTS.listCards, ana, { params: inThis() })).cards
  const boxed = async () => (await callOk(theApp(), ENDPOINTS.countSuggestedCards, ana, { params: inThis() })).count

  /** Opens a vote. `cast` gives the points to the cards in the order drawn, and vetoes the card at this place. */
  async function aVote() {
    const drawNumber = await prepare()
    const { status, body } = await tryOpen(drawNumber)
    expect(status).toBe(200)
    const ids = (body as NightVoteState).vote?.cards.map(({ cardId }) => cardId) ?? []
    const ballotOf = (points: readonly Points[], vetoed?: number) => ({
      drawNumber,
      scores: Object.fromEntries(points.map((score, n) => [ids[n] ?? '', score])),
      veto: vetoed === undefined ? null : (ids[vetoed] ?? ''),
    })
    const cast = async (by: Caller, points: readonly Points[], vetoed?: number) => {
      const reply = await tryCast(by, ballotOf(points, vetoed))
      expect(reply.status).toBe(200)
      return (reply.body as NightVoteState).vote
    }
    return { drawNumber, ids, cast, ballotOf }
  }

  test('a shortlist reveals its cards, and all see only how many have voted', async () => {
    const { ids, cast } = await aVote()
    await cast(ana, [2, 1, 0])

    expect(Object.fromEntries((await feed()).map(({ id, status }) => [id, status]))).toEqual(
      Object.fromEntries(ids.map((id) => [id, 'REVEALED'])),
    )
    expect(await look(ben)).toMatchObject({ present: 2, voted: 1, closedAt: null, winner: null, ballot: null })
    expect((await look(ben))?.cards.map(({ cardId, total, isVetoed }) => [cardId, total, isVetoed])).toEqual(
      ids.map((id) => [id, null, null]),
    )
  })

  test('the last ballot closes the vote, keeps the winner revealed and puts the others back', async () => {
    const { ids, cast } = await aVote()
    await cast(ana, [2, 1, 1])
    const vote = await cast(ben, [2, 1, 2], 0)

    expect(vote).toMatchObject({ present: 2, voted: 2, winner: ids[2] })
    expect(vote?.cards.map(({ total, isVetoed }) => [total, isVetoed])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ])
    expect((await feed()).map(({ id, status }) => [id, status])).toEqual([[ids[2], 'REVEALED']])
    expect(await boxed()).toBe(3)
    expect(vote?.cards.map(({ title, film }) => [title === null, film?.status])).toEqual([
      [true, undefined],
      [true, undefined],
      [false, 'REVEALED'],
    ])
  })

  test('a client that already has the feed gets the new one after the last vote', async () => {
    const { ids, cast } = await aVote()
    await cast(ana, [2, 1, 1])
    const before = await call(theApp(), ENDPOINTS.listCards, ana, { params: inThis() })
    await cast(ben, [2, 1, 2], 0)
    const headers = { 'if-none-match': String(before.headers['etag']) }
    const after = await call(theApp(), ENDPOINTS.listCards, ana, { params: inThis(), headers })

    expect(before.body.cards).toHaveLength(3)
    expect(after.status).toBe(200)
    expect(after.body.cards.map(({ id }) => id)).toEqual([ids[2]])
  })

  test('the totals are shown once all three people at the night have voted', async () => {
    await arrive(cleo)
    const { ids, cast } = await aVote()
    await cast(ana, [2, 1, 1])
    await cast(cleo, [1, 1, 1])
    const vote = await cast(ben, [2, 1, 2], 0)

    expect(vote).toMatchObject({ present: 3, voted: 3, winner: ids[2] })
    expect(vote?.cards.map(({ total, isVetoed }) => [total, isVetoed])).toEqual([
      [5, true],
      [3, false],
      [4, false],
    ])
  })

  test('a second ballot of a member replaces the first', async () => {
    const { ids, cast } = await aVote()
    await cast(ana, [2, 0, 0])
    await cast(ana, [0, 2, 0])

    expect(await cast(ben, [1, 1, 1])).toMatchObject({ winner: ids[1], voted: 2 })
  })

  test('all cards go back if all are vetoed', async () => {
    await arrive(cleo)
    const { cast } = await aVote()
    await cast(ana, [2, 2, 2], 0)
    await cast(ben, [2, 2, 2], 1)

    expect(await cast(cleo, [2, 2, 2], 2)).toMatchObject({ winner: null })
    expect([await feed(), await boxed()]).toEqual([[], 4])
  })

  test('no call, export, live event or history shows how another person voted', { tags: ['race'] }, async () => {
    const { cast, ids } = await aVote()
    await arrive(cleo)
    await cast(ben, [0, 1, 2], 0)

    const others = await Promise.all([look(ana), look(cleo)])
    expect(others.map((vote) => vote?.ballot)).toEqual([null, null])
    expect(others.map((vote) => vote?.voted)).toEqual([1, 1])
    const exported = async (by: Caller) =>
      (await callOk(theApp(), ENDPOINTS.exportData, by, {})).watchlists.map(({ ballots }) => ballots)
    expect(await exported(ana)).toEqual([[]])
    expect(await exported(ben)).toMatchObject([[{ nightId, veto: ids[0] }]])

    await cast(ana, [0, 0, 0])
    await cast(cleo, [0, 0, 1])
    expect((await look(ana))?.ballot?.veto).toBeNull()
    expect(JSON.stringify(await look(ana))).not.toMatch(/ben|cleo/u)
    // The cards go back in the name of the member who drew them, not of the last voter.
    const about = bus.eventsFor(watchlist.id).filter(({ kind }) => kind !== 'nights-changed')
    expect(new Set(about.map(({ by }) => by))).toEqual(new Set(['ana', undefined]))
    const history = await theDatabase()
      .withTables<CardTables>()
      .read.selectFrom('status_change')
      .select('changed_by')
      .where('watchlist_id', '=', watchlist.id)
      .where('status', '<>', 'SUGGESTED')
      .execute()
    expect(new Set(history.map((entry) => entry.changed_by))).toEqual(new Set(['ana']))
    // Those who arrived are named, those who voted are not.
    expect(bus.eventsFor(watchlist.id).flatMap(({ kind, by }) => (kind === 'nights-changed' ? [by] : []))).toEqual([
      'ana',
      'ben',
      undefined,
      'cleo',
      undefined,
      undefined,
      undefined,
    ])
  })

  test('two members who close the vote at once get the same result', { tags: ['race'] }, async () => {
    const { drawNumber, cast, ids } = await aVote()
    await cast(ana, [0, 2, 0])

    const replies = await Promise.all([tryClose(ana, drawNumber), tryClose(cleo, drawNumber)])

    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies.map(({ body }) => (body as NightVoteState).vote?.winner)).toEqual([ids[1], ids[1]])
    expect(await boxed()).toBe(3)
  })

  test('a ballot cast while the vote closes either counts completely or is rejected', { tags: ['race'] }, async () => {
    const { drawNumber, ids, cast, ballotOf } = await aVote()
    await arrive(cleo)
    await cast(ana, [0, 2, 0])

    const [late] = await Promise.all([tryCast(ben, ballotOf([2, 0, 0], 1)), tryClose(ana, drawNumber)])

    const vote = await look(ana)
    expect([
      [200, 2, ids[0]],
      [400, 1, ids[1]],
    ]).toContainEqual([late.status, vote?.voted, vote?.winner])
  })

  test(
    'a ballot of a member who is being removed either counts completely or is rejected',
    { tags: ['race'] },
    async () => {
      const { drawNumber, ids, ballotOf } = await aVote()
      await arrive(cleo)

      const [late, removed] = await Promise.all([
        tryCast(ben, ballotOf([0, 2, 0])),
        call(theApp(), ENDPOINTS.removeMember, ana, { params: { ...inThis(), username: ben.username } }),
      ])

      expect(removed.status).toBe(204)
      expect(await look(ana)).toMatchObject({ present: 3, closedAt: null })
      const closed = (await tryClose(ana, drawNumber)).body as NightVoteState
      expect([
        [200, 1, ids[1]],
        [403, 0, null],
      ]).toContainEqual([late.status, closed.vote?.voted, closed.vote?.winner])
    },
  )

  test('a card that is deleted during the vote cannot win', async () => {
    const { ids, cast } = await aVote()
    await cast(ana, [2, 1, 0])
    await callOk(theApp(), ENDPOINTS.deleteCard, ana, { params: { ...inThis(), cardId: ids[0] ?? '' } })

    const vote = await cast(ben, [2, 1, 0])

    expect(vote?.winner).toBe(ids[1])
    expect(vote?.cards[0]).toEqual({ cardId: ids[0], title: null, film: null, total: null, isVetoed: null })
    expect(await boxed()).toBe(2)
  })

  test('the ballot of a member who leaves does not count, but the numbers shown stay the same', async () => {
    const { drawNumber, ids, cast } = await aVote()
    await arrive(cleo)
    await cast(ana, [0, 1, 0])
    await cast(ben, [2, 0, 0])
    await leave(ben)
    expect(await look(ana)).toMatchObject({ present: 3, voted: 2, closedAt: null })

    await leave(cleo)

    expect(await look(ana)).toMatchObject({ present: 3, voted: 2, closedAt: null })
    await tryClose(ana, drawNumber)
    expect(await look(ana)).toMatchObject({ present: 3, voted: 2, winner: ids[1] })
  })

  test('a vote stays open if a member who has not voted is removed, or their account is deleted', async () => {
    const { drawNumber, ids, cast } = await aVote()
    await arrive(cleo)
    await cast(ana, [0, 1, 0])
    const before = bus.eventsFor(watchlist.id).length
    await callOk(theApp(), ENDPOINTS.removeMember, ana, { params: { ...inThis(), username: cleo.username } })
    expect(await look(ana)).toMatchObject({ present: 3, voted: 1, closedAt: null })
    expect(bus.kindsFor(watchlist.id).slice(before)).toEqual(['nights-changed', 'members-changed'])
    await theDatabase().transaction(async (trx) => {
      await removePersonAt(clock, systemRandom)(trx, ben.userId)
    })
    expect(await look(ana)).toMatchObject({ present: 3, voted: 1, closedAt: null })

    await tryClose(ana, drawNumber)

    expect(await look(ana)).toMatchObject({ present: 3, voted: 1, winner: ids[1] })
  })

  test('ending the night closes the vote', async () => {
    const { ids, cast } = await aVote()
    await cast(ana, [0, 0, 1])
    await callOk(theApp(), ENDPOINTS.endNight, ben, { params: atNight() })

    expect((await look(ana))?.winner).toBe(ids[2])
    expect(await boxed()).toBe(3)
  })

  test('closing a vote without ballots puts all cards back', async () => {
    const { drawNumber } = await aVote()

    expect((await tryClose(ben, drawNumber)).body).toMatchObject({ vote: { winner: null, voted: 0 } })
    expect([await feed(), await boxed()]).toEqual([[], 4])
  })

  test.each<[string, (drawNumber: number, ids: string[]) => Parameters<typeof tryCast>[1]]>([
    ['without a score for each card', (drawNumber, [a = '']) => ({ drawNumber, scores: { [a]: 1 }, veto: null })],
    [
      'with another card',
      (drawNumber, ids) => ({ drawNumber, scores: Object.fromEntries([...ids, 'x'].map((id) => [id, 1])), veto: null }),
    ],
    [
      'with a veto of another card',
      (drawNumber, ids) => ({ drawNumber, scores: Object.fromEntries(ids.map((id) => [id, 1])), veto: 'x' }),
    ],
    [
      'in another vote',
      (drawNumber, ids) => ({ drawNumber: drawNumber + 1, scores: { [ids[0] ?? '']: 1 }, veto: null }),
    ],
  ])('a ballot %s is rejected', async (_what, make) => {
    const { drawNumber, ids } = await aVote()

    expect((await tryCast(ben, make(drawNumber, ids))).status).toBe(400)
    expect(await look(ben)).toMatchObject({ voted: 0 })
  })

  test('only members who are at the night can draw a shortlist and vote', async () => {
    expect((await tryOpen(await prepare(), cleo)).body).toMatchObject({ message: 'Say that you are here first' })
    const { ballotOf } = await aVote()
    expect((await tryCast(cleo, ballotOf([1, 1, 1]))).body).toMatchObject({ message: 'Say that you are here first' })
  })

  test('a shortlist cannot have two cards, and cannot be drawn while another vote is open', async () => {
    expect((await tryOpen(await prepare(2))).status).toBe(400)
    expect(await boxed()).toBe(4)
    const { drawNumber } = await aVote()

    expect((await tryOpen(await prepare())).body).toMatchObject({ message: 'Voting is still open: end it first' })
    expect((await tryOpen(drawNumber)).status).toBe(200)
    expect(await boxed()).toBe(1)
  })

  test('a shortlist whose card has left the box is prepared again', async () => {
    const drawNumber = await prepare()
    await callOk(theApp(), ENDPOINTS.revealRandomCard, ben, { params: inThis() })

    expect((await tryOpen(drawNumber)).status).toBe(409)
    expect(await look(ana)).toBeNull()
    expect((await tryOpen(drawNumber + 2)).status).toBe(200)
  })

  test('members have a budget of vetoes per month, which the owner sets', async () => {
    const vetoesLeft = async () => (await callOk(theApp(), ENDPOINTS.findVote, ana, { params: atNight() })).vetoesLeft
    const setBudget = async (vetoBudget: number) =>
      await callOk(theApp(), ENDPOINTS.setVetoBudget, ana, { params: inThis(), body: { vetoBudget } })
    expect(await vetoesLeft()).toBe(2)
    await setBudget(1)
    const first = await aVote()
    await first.cast(ana, [1, 1, 1], 0)
    // The same veto again, in another ballot.
    await first.cast(ana, [1, 1, 1], 1)
    expect(await vetoesLeft()).toBe(0)
    await tryClose(ana, first.drawNumber)
    const second = await aVote()

    const rejected = await tryCast(ana, second.ballotOf([1, 1, 1], 0))

    expect(rejected.body).toMatchObject({ message: 'You have no veto left this month' })
    clock.moveAhead(31 * DAY_MS)
    nightId = await openNight()
    expect(await vetoesLeft()).toBe(1)
  })

  test('deleting an account removes the name from its ballot at once, and the ballot when the vote closes', async () => {
    const { drawNumber, cast } = await aVote()
    await cast(ben, [1, 1, 1])
    await theDatabase().transaction(async (trx) => {
      await removePersonAt(clock, systemRandom)(trx, ben.userId)
    })
    const ballots = async () =>
      await theDatabase()
        .withTables<VoteTables>()
        .read.selectFrom('night_ballot')
        .select('user_id')
        .where('watchlist_id', '=', watchlist.id)
        .execute()
    expect(await ballots()).toEqual([{ user_id: expect.stringMatching(/^former-/u) as unknown }])

    await tryClose(ana, drawNumber)

    expect(await ballots()).toEqual([])
  })
})
