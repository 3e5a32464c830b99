import { expect, test } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Score } from '@marquee/contract/entities/vote'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase, TRIES_ALL } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { removePersonAt } from '../../../../remove-person.ts'
import { call, type Caller, type CallInput, callOk } from '../../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../../testing/make.ts'
import { movableClock } from '../../../../testing/movable-clock.ts'
import { seededChance } from '../../../../testing/simulation/chance.ts'
import { anApp } from '../../../../testing/start-app.ts'
import type { VoteTables } from './vote-store.ts'

type Person = 'ana' | 'ben' | 'dora' | 'Lea' | 'Max' | 'Pia'
type Ballot = { scores: readonly [Score, Score, Score]; vetoed?: number }

/** All ballots like the first card best, so that the winner is the same however many count. */
const PLAIN: Ballot = { scores: [2, 1, 1] }
const ONE: Ballot = { scores: [2, 0, 1] }
const OTHER: Ballot = { scores: [2, 1, 0], vetoed: 2 }

/**
 * Ana owns the watchlist and attacks. Ben is a member who is there, Lea and Max are guests with a phone, and Ana votes for
 * Pia, who has none. Dora is a member who is not there.
 */
const STEPS = [
  ...(['ana', 'Lea', 'Max', 'Pia'] as const).map((by) => `${by} votes` as const),
  ...(['Lea', 'Max', 'Pia'] as const).map((who) => `${who} is removed` as const),
  'ana leaves',
  'ana comes',
  'dora comes',
  'dora votes',
  'ana claims Pia',
  'dora claims Lea',
  'ben is removed',
  'ben deletes his account',
  'the vote closes',
  'the night ends',
] as const
type Step = (typeof STEPS)[number]

const ATTACKS: readonly (readonly Step[])[] = [
  ['the vote closes'],
  ['the night ends'],
  ['ana votes', 'Pia votes', 'the vote closes'],
  ['ana votes', 'Pia votes', 'Lea is removed', 'Max is removed'],
  ['Lea votes', 'Lea is removed', 'Max is removed', 'Pia is removed', 'ana leaves'],
  ['ana votes', 'Pia votes', 'ana claims Pia', 'Lea is removed', 'Max is removed', 'the vote closes'],
  ['Lea votes', 'Max votes', 'Pia votes', 'ben is removed', 'ana votes', 'the vote closes'],
  ['Lea votes', 'Max votes', 'ana votes', 'ben deletes his account', 'Pia votes', 'the vote closes'],
  ['dora claims Lea', 'dora votes', 'ana votes', 'Pia votes', 'Max is removed', 'the vote closes'],
]

function randomSequence(seed: number): Step[] {
  const chance = seededChance(seed, 0)
  return Array.from({ length: 8 }, () => chance.pick(STEPS) ?? 'the vote closes')
}

/** What Lea and Max do by themselves tells something about them. */
const OF_GUESTS = /^(?:Lea|Max) votes|claims Lea$/u
const named = (steps: readonly Step[]) => [steps.join(', '), steps] as const

const SEQUENCES = [...ATTACKS, ...Array.from({ length: TRIES_ALL ? 8 : 4 }, (_, seed) => randomSequence(seed))]

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const theApp = anApp(theDatabase, { clock })

  /** An open vote of three cards. */
  async function aVote() {
    const users = { ana: aUser('ana'), ben: aUser('ben'), dora: aUser('dora') }
    const box = ['Film A', 'Film B', 'Film C']
    const { watchlist } = await aWatchlist(theApp(), { owner: users.ana, members: [users.ben, users.dora], box })
    const params: Record<string, string> = { watchlistId: watchlist.id }
    params['nightId'] = (await callOk(theApp(), ENDPOINTS.openNight, users.ana, { params })).id
    await callOk(theApp(), ENDPOINTS.arriveAtNight, users.ben, { params })
    const { joinCode } = await callOk(theApp(), ENDPOINTS.makeNightCode, users.ana, { params })
    const join = async (nickname: string) => {
      const { body } = await call(theApp(), ENDPOINTS.joinNight, undefined, { body: { code: joinCode, nickname } })
      return body
    }
    const Pia = await callOk(theApp(), ENDPOINTS.addGuest, users.ana, { params, body: { nickname: 'Pia' } })
    const guests = { Lea: await join('Lea'), Max: await join('Max'), Pia }
    const { drawNumber } = await callOk(theApp(), ENDPOINTS.prepareDraw, users.ana, { params, body: { picks: 3 } })
    const body = { drawNumber, seeds: ['5e'.repeat(32)] }
    const { vote } = await callOk(theApp(), ENDPOINTS.openVote, users.ana, { params, body })
    const ids = vote?.cards.map(({ cardId }) => cardId) ?? []

    const as = async (who: Person, name: EndpointName, input: CallInput = {}) => {
      const user: Caller | undefined = who in users ? users[who as keyof typeof users] : undefined
      const pass = user ? undefined : guests[who as keyof typeof guests]
      const headers = pass ? { headers: { authorization: `Bearer ${pass.token}` } } : {}
      return await call(theApp(), ENDPOINTS[name], user, { params, ...headers, ...input })
    }
    const cast = async (who: Person, { scores, vetoed }: Ballot) => {
      const veto = vetoed === undefined ? null : ids[vetoed]
      const given = Object.fromEntries(ids.map((id, n) => [id, scores[n]]))
      return (await as(who, 'castBallot', { body: { drawNumber, scores: given, veto } })).status
    }
    const remove = async (who: keyof typeof guests) =>
      await as('ana', 'removeGuest', { params: { ...params, guestId: guests[who].guest.guestId } })
    const play: Record<Step, () => Promise<unknown>> = {
      'ana votes': async () => await cast('ana', PLAIN),
      'Lea votes': async () => await cast('Lea', PLAIN),
      'Max votes': async () => await cast('Max', PLAIN),
      'Pia votes': async () => await cast('Pia', PLAIN),
      'dora votes': async () => await cast('dora', PLAIN),
      'Lea is removed': async () => await remove('Lea'),
      'Max is removed': async () => await remove('Max'),
      'Pia is removed': async () => await remove('Pia'),
      'ana leaves': async () => await as('ana', 'leaveNight'),
      'ana comes': async () => await as('ana', 'arriveAtNight'),
      'dora comes': async () => await as('dora', 'arriveAtNight'),
      'ana claims Pia': async () => await as('ana', 'claimNight', { body: { token: guests.Pia.token } }),
      'dora claims Lea': async () => await as('dora', 'claimNight', { body: { token: guests.Lea.token } }),
      'ben is removed': async () => await as('ana', 'removeMember', { params: { ...params, username: 'ben' } }),
      'ben deletes his account': async () =>
        await theDatabase().transaction(async (trx) => {
          await removePersonAt(clock, systemRandom)(trx, users.ben.userId)
        }),
      'the vote closes': async () => await as('ana', 'closeVote', { body: { drawNumber } }),
      'the night ends': async () => await as('ana', 'endNight'),
    }

    /** What the vote tells Ana and Dora, and on the big screen and in the statistics. */
    const look = async () => {
      const { vote: asAna } = await callOk(theApp(), ENDPOINTS.findVote, users.ana, { params })
      const { vote: asDora } = await callOk(theApp(), ENDPOINTS.findVote, users.dora, { params })
      const { vote: onScreen } = await callOk(theApp(), ENDPOINTS.getNightScreen, users.ana, { params })
      const { nights } = await callOk(theApp(), ENDPOINTS.getStatistics, users.ana, { params })
      const feed = await callOk(theApp(), ENDPOINTS.listCards, users.dora, { params })
      const seen = {
        asAna: { ...asAna, ballot: null },
        asDora: { ...asDora, ballot: null },
        onScreen,
        nights,
        feed: ids.map((id) => feed.cards.find((card) => card.id === id)?.status),
      }
      const text = ids.reduce((rest, id, n) => rest.replaceAll(id, `card ${n}`), JSON.stringify(seen))
      const hasTotals = asAna?.cards.some(({ total }) => total !== null) ?? false
      return {
        hasTotals,
        feed: seen.feed,
        text: text.replaceAll(/Film [ABC]/gu, 'a film').replaceAll(/"20[^"]+Z"/gu, '"time"'),
      }
    }
    return { cast, play, look, watchlistId: watchlist.id, ids }
  }

  /** What all see after each step. */
  async function seenIn(steps: readonly Step[], begin: (vote: Awaited<ReturnType<typeof aVote>>) => Promise<unknown>) {
    const vote = await aVote()
    await begin(vote)
    const seen = [await vote.look()]
    for (const step of steps) {
      await vote.play[step]()
      seen.push(await vote.look())
    }
    return seen
  }

  test.each(SEQUENCES.map(named))('the ballot of a member stays secret during: %s', async (_name, steps) => {
    const [one, other] = [
      await seenIn(steps, async ({ cast }) => await cast('ben', ONE)),
      await seenIn(steps, async ({ cast }) => await cast('ben', OTHER)),
    ]

    // Totals show when all ballots are in, and no one has left. They differ, as the ballots do.
    const until = one.findIndex(({ hasTotals }) => hasTotals)
    const before = until === -1 ? one.length : until
    expect(other.slice(0, before)).toEqual(one.slice(0, before))
    if (until === -1) return
    expect(steps.slice(0, until).filter((step) => /leaves|removed|deletes|claims|closes|ends/u.test(step))).toEqual([])
    expect(steps.slice(0, until)).toEqual(
      expect.arrayContaining(['ana votes', 'Lea votes', 'Max votes', 'Pia votes'] satisfies Step[]),
    )
  })

  test.each(SEQUENCES.map((steps) => named(steps.filter((step) => !OF_GUESTS.test(step)))))(
    'the identity of a guest who has voted stays secret during: %s',
    async (_name, steps) => {
      const one = await seenIn(steps, async ({ cast }) => await cast('Lea', PLAIN))
      const other = await seenIn(steps, async ({ cast }) => await cast('Max', PLAIN))

      expect(other).toEqual(one)
    },
  )

  test('totals are shown once everyone at the night has voted', async () => {
    const { cast, look } = await aVote()
    for (const who of ['ana', 'ben', 'Lea', 'Max', 'Pia'] as const) expect(await cast(who, PLAIN)).toBe(200)

    expect(await look()).toMatchObject({ hasTotals: true, text: expect.stringContaining('"total":10') as unknown })
  })

  test('a member and the people who vote on their device count as one person for the totals', async () => {
    const { cast, play, look } = await aVote()
    await play['Lea is removed']()
    await play['Max is removed']()
    for (const who of ['ana', 'Pia'] as const) await cast(who, PLAIN)
    expect((await look()).text).toContain('"present":5,"voted":2')
    await play['the vote closes']()

    expect(await look()).toMatchObject({ hasTotals: false })
  })

  test('removing everyone but one voter does not make the choice of that voter win', async () => {
    const { cast, play, look } = await aVote()
    for (const who of ['Lea', 'Max', 'Pia'] as const) await cast(who, { scores: [2, 0, 0] })
    await cast('ben', { scores: [0, 2, 0] })
    for (const who of ['Lea', 'Max', 'Pia'] as const) await play[`${who} is removed`]()
    await play['the vote closes']()

    expect((await look()).feed).toEqual(['REVEALED', undefined, undefined])
  })

  test('totals stay hidden if a member votes for guests on their device and only one other member votes', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const box = ['Film A', 'Film B', 'Film C']
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben], box })
    const params: Record<string, string> = { watchlistId: watchlist.id }
    params['nightId'] = (await callOk(theApp(), ENDPOINTS.openNight, ana, { params })).id
    await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params })
    const passes: string[] = []
    for (const nickname of ['Pia', 'Quin', 'Rob']) {
      passes.push((await callOk(theApp(), ENDPOINTS.addGuest, ana, { params, body: { nickname } })).token)
    }
    const { drawNumber } = await callOk(theApp(), ENDPOINTS.prepareDraw, ana, { params, body: { picks: 3 } })
    const begun = { drawNumber, seeds: ['5e'.repeat(32)] }
    const { vote } = await callOk(theApp(), ENDPOINTS.openVote, ana, { params, body: begun })
    const scores = Object.fromEntries(vote?.cards.map(({ cardId }, n) => [cardId, PLAIN.scores[n]]) ?? [])
    const body = { drawNumber, scores, veto: null }

    for (const user of [ana, ben]) await callOk(theApp(), ENDPOINTS.castBallot, user, { params, body })
    for (const token of passes) {
      const headers = { authorization: `Bearer ${token}` }
      expect((await call(theApp(), ENDPOINTS.castBallot, undefined, { params, headers, body })).status).toBe(200)
    }

    const { vote: closed } = await callOk(theApp(), ENDPOINTS.findVote, ana, { params })
    expect(closed).toMatchObject({ closedAt: expect.any(String) as unknown, present: 5, voted: 5 })
    expect(closed?.cards.map(({ total }) => total)).toEqual([null, null, null])
  })

  test('the totals of two ballots that an earlier version stored stay hidden', async () => {
    const { play, look, watchlistId, ids } = await aVote()
    await play['the vote closes']()
    const store = async (voted: number) => {
      const cards = ids.map((cardId, n) => ({ cardId, total: 4 - n, isVetoed: n === 2 }))
      const result = JSON.stringify({ winner: ids[0], present: 5, voted, cards })
      await theDatabase()
        .withTables<VoteTables>()
        .transaction(
          async (trx) =>
            await trx.updateTable('night_vote').set({ result }).where('watchlist_id', '=', watchlistId).execute(),
        )
      return await look()
    }

    expect(await store(2)).toMatchObject({
      hasTotals: false,
      text: expect.not.stringContaining('"isVetoed":true') as unknown,
    })
    expect(await store(3)).toMatchObject({ hasTotals: true, text: expect.stringContaining('"total":4') as unknown })
  })
})
