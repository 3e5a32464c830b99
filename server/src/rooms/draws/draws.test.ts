import { createHash, createHmac } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import type { BodyInput } from '@marquee/contract/endpoints'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import { checkReceipt, isCheckable } from '@marquee/contract/rules/check-receipt'
import type { DrawReceipt } from '@marquee/contract/entities/draw'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../migrations/index.ts'
import { call, type Caller, callOk } from '../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../testing/make.ts'
import { anApp, startApp } from '../../testing/start-app.ts'
import type { CardTables } from '../movies/cards/card/store.ts'

const SEED = '5e'.repeat(32)
const OTHER_SEED = '0a'.repeat(32)

const hashing = {
  sha256: async (data: string | Uint8Array) => await Promise.resolve(createHash('sha256').update(data).digest('hex')),
  hmac: async (key: Uint8Array, message: Uint8Array) =>
    await Promise.resolve(createHmac('sha256', key).update(message).digest()),
}

/** The steps of the check that fail. */
async function wrongSteps(receipt: DrawReceipt): Promise<string[]> {
  if (!isCheckable(receipt)) return ['not checkable']
  return (await checkReceipt(receipt, hashing)).filter(({ isRight }) => !isRight).map(({ step }) => step)
}

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  type Place = { watchlistId: string }
  const prepare = async (params: Place, by: Caller, body: BodyInput<typeof ENDPOINTS.prepareDraw> = {}) =>
    await callOk(theApp(), ENDPOINTS.prepareDraw, by, { params, body })
  const reveal = async ({ watchlistId }: Place, by: Caller, drawNumber: number, seeds = [SEED]) =>
    await call(theApp(), ENDPOINTS.revealDraw, by, {
      params: { watchlistId, drawNumber: String(drawNumber) },
      body: { seeds },
    })
  const revealOk = async (params: Place, by: Caller, drawNumber: number) => {
    const { status, body } = await reveal(params, by, drawNumber)
    expect(status).toBe(200)
    return body
  }
  const drawOnce = async (params: Place, by: Caller, body: BodyInput<typeof ENDPOINTS.prepareDraw> = {}) =>
    await revealOk(params, by, (await prepare(params, by, body)).drawNumber)
  const log = async (params: Place, by: Caller) =>
    (await callOk(theApp(), ENDPOINTS.listDraws, by, { params })).draws.map(
      ({ drawNumber, status }) => `${drawNumber} ${status}`,
    )
  const setRule = async (params: Place, by: Caller, body: BodyInput<typeof ENDPOINTS.setDrawRule>) =>
    await callOk(theApp(), ENDPOINTS.setDrawRule, by, { params, body })
  const odds = async (params: Place, by: Caller) => await callOk(theApp(), ENDPOINTS.getDrawOdds, by, { params })
  const move = async (params: Place, by: Caller, cardId: string, status: string) =>
    await callOk(theApp(), ENDPOINTS.moveCard, by, { params: { ...params, cardId }, body: { status } })

  async function aBox({ own = 3, bens = 0 }: { own?: number; bens?: number } = {}) {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const cards = []
    for (let n = 0; n < own; n += 1) cards.push(await aCard(theApp(), { inside: watchlist, by: owner, title: `A${n}` }))
    for (let n = 0; n < bens; n += 1) cards.push(await aCard(theApp(), { inside: watchlist, by: ben, title: `B${n}` }))
    return { params: { watchlistId: watchlist.id }, owner, ben, cards }
  }

  test('a draw in two steps reveals a card, and its receipt can be checked', async () => {
    const { params, owner, ben } = await aBox()

    const prepared = await prepare(params, owner)
    const hidden = await callOk(theApp(), ENDPOINTS.getDraw, ben, { params: { ...params, drawNumber: '1' } })
    const { cards, receipt } = await revealOk(params, ben, prepared.drawNumber)

    expect(prepared).toEqual({ drawNumber: 1, commitment: hidden.commitment, eligible: 3, isBand: false })
    expect([hidden.status, hidden.table, hidden.picked]).toEqual(['prepared', null, []])
    expect(cards).toMatchObject([{ id: receipt.picked[0]?.cardId, status: 'REVEALED' }])
    expect(receipt).toMatchObject({ status: 'revealed', commitment: prepared.commitment, seeds: [SEED], by: 'ben' })
    expect(receipt.picked[0]?.odds).toBeCloseTo(1 / 3)
    expect(await wrongSteps(receipt)).toEqual([])
    const stored = await callOk(theApp(), ENDPOINTS.getDraw, owner, { params: { ...params, drawNumber: '1' } })
    expect(stored).toEqual(receipt)
    expect(await callOk(theApp(), ENDPOINTS.countSuggestedCards, owner, { params })).toEqual({ count: 2 })
  })

  test('a receipt shows the secret of the drawn card only', async () => {
    const { params, owner } = await aBox()

    const { receipt, cards } = await drawOnce(params, owner)

    const text = JSON.stringify(receipt)
    expect(text.match(/"secret"/gu)).toHaveLength(1)
    expect(['A0', 'A1', 'A2'].filter((title) => text.includes(title))).toEqual([])
    expect(receipt.picked.map(({ cardId }) => cardId)).toEqual(cards.map(({ id }) => id))
  })

  test('a card that returns to the box gets another ticket', async () => {
    const { params, owner, cards } = await aBox({ own: 1 })
    const first = await drawOnce(params, owner)
    await move(params, owner, cards[0]?.id ?? '', 'SUGGESTED')

    const second = await drawOnce(params, owner)

    expect(second.receipt.picked[0]?.cardId).toBe(first.receipt.picked[0]?.cardId)
    expect(second.receipt.picked[0]?.secret).not.toBe(first.receipt.picked[0]?.secret)
  })

  test('a card that stays in the box gets another ticket in each draw', async () => {
    const { params, owner } = await aBox()
    const receipts = [(await drawOnce(params, owner)).receipt, (await drawOnce(params, owner)).receipt]

    const tickets = receipts.flatMap(({ table }) => table?.people[0]?.tickets ?? [])
    expect([tickets.length, new Set(tickets).size]).toEqual([5, 5])
  })

  test('a shortlist draws several cards, or all if there are fewer', async () => {
    const { params, owner } = await aBox({ own: 4 })

    const three = await drawOnce(params, owner, { picks: 3 })
    const rest = await drawOnce(params, owner, { picks: 5 })

    expect(three.cards.map(({ id }) => id)).toEqual(three.receipt.picked.map(({ cardId }) => cardId))
    expect(new Set(three.cards.map(({ id }) => id)).size).toBe(3)
    expect(rest.cards).toHaveLength(1)
    expect([await wrongSteps(three.receipt), await wrongSteps(rest.receipt)]).toEqual([[], []])
  })

  test('the slots of the box have no gaps after a shortlist', async () => {
    const { params, owner } = await aBox({ own: 6 })

    await drawOnce(params, owner, { picks: 3 })

    const slots = await theDatabase()
      .withTables<CardTables>()
      .read.selectFrom('card')
      .select('selection_index')
      .where('watchlist_id', '=', params.watchlistId)
      .where('status', '=', 'SUGGESTED')
      .orderBy('selection_index')
      .execute()
    expect(slots.map((row) => row.selection_index)).toEqual([0, 1, 2])
  })

  test('two members who draw at the same moment get different cards, and the draw numbers have no gaps', async () => {
    const { params, owner, ben } = await aBox()
    const [one, other] = [await prepare(params, owner), await prepare(params, ben)]

    const first = await revealOk(params, owner, one.drawNumber)
    const conflict = await reveal(params, ben, other.drawNumber)
    const second = await revealOk(params, ben, 3)

    expect(conflict.body).toMatchObject({ type: 'CONFLICT', drawNumber: 3, eligible: 2 })
    expect(second.cards[0]?.id).not.toBe(first.cards[0]?.id)
    expect(await log(params, owner)).toEqual(['3 revealed', '2 replaced', '1 revealed'])
  })

  test('an eleventh prepared draw replaces the oldest', async () => {
    const { params, owner } = await aBox({ own: 1 })
    for (let n = 0; n < 11; n += 1) await prepare(params, owner)

    const late = await reveal(params, owner, 1)

    expect([late.status, late.body.message]).toEqual([409, 'This draw is over'])
    expect((await log(params, owner)).map((line) => line.split(' ')[1])).toEqual([
      ...Array.from({ length: 10 }, () => 'prepared'),
      'replaced',
    ])
  })

  test('a prepared draw that is not revealed within an hour is abandoned', async () => {
    let now = new Date('2026-05-01T20:00:00.000Z')
    const app = await startApp(theDatabase(), { clock: { ...systemClock, now: () => now } })
    const { params, owner } = await aBox()
    await callOk(app, ENDPOINTS.prepareDraw, owner, { params, body: {} })

    now = new Date('2026-05-01T21:00:00.001Z')

    const drawParams = { ...params, drawNumber: '1' }
    const { status, table } = await callOk(app, ENDPOINTS.getDraw, owner, { params: drawParams })
    const late = await call(app, ENDPOINTS.revealDraw, owner, { params: drawParams, body: { seeds: [SEED] } })
    await callOk(app, ENDPOINTS.prepareDraw, owner, { params, body: {} })
    const { draws } = await callOk(app, ENDPOINTS.listDraws, owner, { params })
    await app.stop()
    expect([status, table, late.status]).toEqual(['abandoned', null, 409])
    expect(draws.map((draw) => draw.status)).toEqual(['prepared', 'abandoned'])
  })

  describe('two reveals of one draw', () => {
    test(
      'two simultaneous reveals of one draw get the same card and receipt, and one card leaves the box',
      { tags: ['race'] },
      async () => {
        const { params, owner, ben } = await aBox()
        const { drawNumber } = await prepare(params, owner)

        const [one, other] = await Promise.all([
          reveal(params, owner, drawNumber, [SEED]),
          reveal(params, ben, drawNumber, [OTHER_SEED]),
        ])

        expect([one.status, other.status]).toEqual([200, 200])
        expect(one.body).toEqual(other.body)
        expect(one.body.receipt.seeds).toHaveLength(1)
        expect(await callOk(theApp(), ENDPOINTS.countSuggestedCards, owner, { params })).toEqual({ count: 2 })
      },
    )

    test('a repeated reveal does not show a card that was put back', async () => {
      const { params, owner } = await aBox()
      const { cards, receipt } = await drawOnce(params, owner)
      await move(params, owner, cards[0]?.id ?? '', 'SUGGESTED')

      const again = await reveal(params, owner, 1)

      expect(again.body).toEqual({ cards: [], receipt })
    })
  })

  describe('a candidate that left the box between the steps', () => {
    const LEAVING: Record<string, (params: Place, by: Caller, cardId: string) => Promise<unknown>> = {
      'was deleted': async (params, by, cardId) =>
        await callOk(theApp(), ENDPOINTS.deleteCard, by, { params: { ...params, cardId } }),
      'was revealed': async (params, by) => await callOk(theApp(), ENDPOINTS.revealRandomCard, by, { params }),
      'was revealed and put back': async (params, by) => {
        const { id } = await callOk(theApp(), ENDPOINTS.revealRandomCard, by, { params })
        await move(params, by, id, 'SUGGESTED')
      },
    }

    test.each(Object.keys(LEAVING))('a draw is prepared again if a candidate %s', async (how) => {
      const { params, owner, cards } = await aBox()
      const { drawNumber } = await prepare(params, owner, { picks: 2 })
      await LEAVING[how]?.(params, owner, cards[0]?.id ?? '')

      const { status, body } = await reveal(params, owner, drawNumber)

      expect(status).toBe(409)
      expect(body).toMatchObject({
        type: 'CONFLICT',
        message: 'A card has left the box, so the draw was prepared again',
      })
      const { drawNumber: next } = body as unknown as { drawNumber: number }
      const { receipt } = await revealOk(params, owner, next)
      expect([receipt.commitment, receipt.picks]).toEqual([(body as unknown as DrawReceipt).commitment, 2])
      expect(await wrongSteps(receipt)).toEqual([])
      expect((await log(params, owner)).at(-1)).toBe('1 replaced')
    })

    test('a repeated reveal with the same key gets the same conflict and prepares no further draw', async () => {
      const { params, owner, cards } = await aBox()
      const { drawNumber } = await prepare(params, owner)
      await LEAVING['was deleted']?.(params, owner, cards[0]?.id ?? '')
      const ask = async () =>
        await call(theApp(), ENDPOINTS.revealDraw, owner, {
          params: { ...params, drawNumber: String(drawNumber) },
          body: { seeds: [SEED] },
          headers: { 'idempotency-key': 'a-key-of-one-reveal' },
        })

      const [first, again] = [await ask(), await ask()]

      expect([again.status, again.body]).toEqual([409, first.body])
      expect(await log(params, owner)).toEqual(['2 prepared', '1 replaced'])
    })
  })

  test('a card added between the steps takes no part in the draw', async () => {
    const { params, owner } = await aBox({ own: 1 })
    const { drawNumber } = await prepare(params, owner)
    await aCard(theApp(), { inside: { id: params.watchlistId }, by: owner, title: 'Late' })

    const { cards, receipt } = await revealOk(params, owner, drawNumber)

    expect(cards.map(({ title }) => title)).toEqual(['A0'])
    expect(receipt.eligible).toBe(1)
  })

  test('a draw from an empty box gets 404 and uses no draw number', async () => {
    const { params, owner } = await aBox({ own: 0 })

    const { status, body } = await call(theApp(), ENDPOINTS.prepareDraw, owner, { params, body: {} })

    expect([status, body.message]).toEqual([404, 'No cards to reveal from the box'])
    expect(await log(params, owner)).toEqual([])
  })

  test('a reveal in one call has a receipt without seeds or a table', async () => {
    const { params, owner, ben } = await aBox()

    const card = await callOk(theApp(), ENDPOINTS.revealRandomCard, ben, { params })

    const receipt = await callOk(theApp(), ENDPOINTS.getDraw, owner, { params: { ...params, drawNumber: '1' } })
    expect(receipt).toMatchObject({ status: 'revealed', table: null, commitment: null, seeds: [], by: 'ben' })
    expect(receipt.picked).toEqual([{ ticket: null, cardId: card.id, secret: null, odds: 1 / 3 }])
  })

  test('the draw log is paged, and shows the titles only of cards in the feed', async () => {
    const { params, owner } = await aBox()
    const [first, second] = [await drawOnce(params, owner), await drawOnce(params, owner)]
    await move(params, owner, first.cards[0]?.id ?? '', 'SUGGESTED')

    const page = await callOk(theApp(), ENDPOINTS.listDraws, owner, { params, query: { limit: 1 } })
    const rest = await callOk(theApp(), ENDPOINTS.listDraws, owner, {
      params,
      query: { limit: 1, nextToken: page.nextToken ?? '' },
    })

    expect(page.draws.map(({ cards }) => cards)).toEqual([
      [{ cardId: second.cards[0]?.id, title: second.cards[0]?.title }],
    ])
    expect(rest.draws.map(({ cards }) => cards)).toEqual([[{ cardId: first.cards[0]?.id, title: null }]])
    expect(rest.nextToken).toBeNull()
  })

  describe('the rule of a watchlist', () => {
    test('the default rule treats all cards alike, makes no card rest, and names no member in its odds', async () => {
      const { params, ben } = await aBox({ own: 3, bens: 1 })

      expect(await odds(params, ben)).toEqual({
        rule: 'cards',
        rest: 0,
        eligible: 4,
        resting: 0,
        isBand: false,
        people: [],
      })
    })

    test('the rule "people" gives each person the same chance, however many cards they have', async () => {
      const { params, owner, ben } = await aBox({ own: 3, bens: 1 })

      const { people } = await setRule(params, owner, { rule: 'people', rest: 0 })
      const { receipt } = await drawOnce(params, ben)

      expect(people).toEqual([
        { username: 'ana', weight: 1, chance: 0.5 },
        { username: 'ben', weight: 1, chance: 0.5 },
      ])
      expect(receipt.table?.people.map(({ username, weight, tickets }) => [username, weight, tickets.length])).toEqual([
        ['ana', 1, 3],
        ['ben', 1, 1],
      ])
      expect(await wrongSteps(receipt)).toEqual([])
    })

    test('the rule "waiting" raises a person’s weight with each accepted card of another person', async () => {
      const { params, owner, ben } = await aBox({ own: 1, bens: 1 })
      await setRule(params, owner, { rule: 'waiting', rest: 0 })
      for (let n = 0; n < 2; n += 1)
        await aCard(theApp(), { inside: { id: params.watchlistId }, by: ben, status: 'WATCHED' })

      const { people } = await odds(params, owner)
      const { receipt } = await drawOnce(params, owner)

      expect(people).toEqual([
        { username: 'ana', weight: 3, chance: 0.75 },
        { username: 'ben', weight: 1, chance: 0.25 },
      ])
      expect(await wrongSteps(receipt)).toEqual([])
    })

    test('the rule "people" counts a card for each person who wants it', async () => {
      const { params, owner, ben } = await aBox({ own: 2, bens: 1 })
      await setRule(params, owner, { rule: 'people', rest: 0 })
      await callOk(theApp(), ENDPOINTS.wantMovie, ben, { params, body: { title: 'A0' } })

      const { receipt } = await drawOnce(params, owner)

      const [ana, other] = receipt.table?.people.map(({ tickets }) => tickets) ?? []
      expect([ana?.length, other?.length]).toEqual([2, 2])
      expect(ana?.filter((ticket) => other?.includes(ticket))).toHaveLength(1)
      expect(await wrongSteps(receipt)).toEqual([])
    })

    test('the rule "waiting" resets the weight of each person who wants the accepted card', async () => {
      const { params, owner, ben } = await aBox({ own: 1, bens: 1 })
      await setRule(params, owner, { rule: 'waiting', rest: 0 })
      await callOk(theApp(), ENDPOINTS.wantMovie, ben, { params, body: { title: 'A0' } })
      await callOk(theApp(), ENDPOINTS.wantMovie, owner, { params, body: { title: 'B0' } })
      const { cards } = await drawOnce(params, owner)
      await move(params, owner, cards[0]?.id ?? '', 'WATCHED')

      expect((await odds(params, owner)).people.map(({ username, weight }) => [username, weight])).toEqual([
        ['ana', 1],
        ['ben', 1],
      ])
    })

    test('the odds give only a band for the number of cards that match a filter', async () => {
      const { params, owner, ben } = await aBox({ own: 2 })
      const movie = { runtimeMinutes: 80 }
      await callOk(theApp(), ENDPOINTS.addCard, ben, {
        params,
        body: { title: 'Short', image: 'https://posters.example.org/short.jpg', movie },
      })
      await setRule(params, owner, { rule: 'people', rest: 0 })
      const within = async (filter: string) =>
        await call(theApp(), ENDPOINTS.getDrawOdds, owner, { params, query: { filter } })
      const counts = async (filter: string) => {
        const { eligible, resting, isBand, people } = (await within(filter)).body
        return { eligible, resting, isBand, people }
      }

      const band = { resting: 0, isBand: true, people: [] }
      expect(await counts('{"maxRuntime":75}')).toEqual({ eligible: 0, ...band })
      expect(await counts('{"maxRuntime":90}')).toEqual({ eligible: 1, ...band })
      expect(await counts('{"maxRuntime":90,"includeUnknownRuntime":true}')).toEqual({ eligible: 1, ...band })
      await aCard(theApp(), { inside: { id: params.watchlistId }, by: ben })
      expect(await counts('{"maxRuntime":90,"includeUnknownRuntime":true}')).toEqual({ eligible: 1, ...band })
      await aCard(theApp(), { inside: { id: params.watchlistId }, by: ben })
      expect(await counts('{"maxRuntime":90,"includeUnknownRuntime":true}')).toEqual({ eligible: 5, ...band })
      await aCard(theApp(), { inside: { id: params.watchlistId }, by: ben })
      expect(await counts('{"maxRuntime":90,"includeUnknownRuntime":true}')).toEqual({ eligible: 5, ...band })
      expect([(await within('{')).status, (await within('{"maxRuntime":0}')).status]).toEqual([400, 400])
    })

    test('the odds give only a band for the number of resting cards that match a filter', async () => {
      const { params, owner } = await aBox({ own: 9 })
      await setRule(params, owner, { rule: 'cards', rest: 5 })
      const { cards } = await drawOnce(params, owner, { picks: 6 })
      const query = { filter: '{"maxRuntime":90,"includeUnknownRuntime":true}' }
      const resting = async () => (await callOk(theApp(), ENDPOINTS.getDrawOdds, owner, { params, query })).resting

      const told = [await resting()]
      for (const { id } of cards) {
        await move(params, owner, id, 'SUGGESTED')
        told.push(await resting())
      }

      expect(told).toEqual([0, 1, 1, 1, 1, 5, 5])
    })

    test('a filter rounds the maximum runtime down to a multiple of 15 minutes', async () => {
      const { params, owner, ben } = await aBox({ own: 0 })
      await callOk(theApp(), ENDPOINTS.addCard, ben, {
        params,
        body: { title: 'Short', image: 'https://posters.example.org/short.jpg', movie: { runtimeMinutes: 80 } },
      })
      const eligible: number[] = []
      for (const maxRuntime of [14, 79, 80, 81, 89, 90]) {
        const query = { filter: JSON.stringify({ maxRuntime }) }
        eligible.push((await callOk(theApp(), ENDPOINTS.getDrawOdds, owner, { params, query })).eligible)
      }
      const { receipt } = await drawOnce(params, owner, { filter: { maxRuntime: 101 } })

      expect(eligible).toEqual([0, 0, 0, 0, 0, 1])
      expect(receipt.filter).toEqual({ maxRuntime: 90 })
      expect(await wrongSteps(receipt)).toEqual([])
    })

    test('the odds name all members, so that they do not reveal who has a card in the box', async () => {
      const { params, owner, ben } = await aBox({ own: 1 })
      await setRule(params, owner, { rule: 'people', rest: 0 })
      const before = await odds(params, owner)
      await aCard(theApp(), { inside: { id: params.watchlistId }, by: ben })

      const after = await odds(params, owner)

      expect(after).toEqual({ ...before, eligible: 2 })
      expect(after.people).toEqual([
        { username: 'ana', weight: 1, chance: 0.5 },
        { username: 'ben', weight: 1, chance: 0.5 },
      ])
    })

    test.each(['people', 'waiting'] as const)(
      'a draw cannot replace a rule that names no people with "%s", which does',
      async (rule) => {
        const { params, owner, ben } = await aBox({ own: 1, bens: 1 })
        const answers = [
          await call(theApp(), ENDPOINTS.prepareDraw, ben, { params, body: { rule } }),
          await call(theApp(), ENDPOINTS.prepareDraw, owner, { params, body: { rule } }),
        ]

        expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
          [400, 'rule: The rule of this watchlist does not show who has how many cards in the box'],
          [400, 'rule: The rule of this watchlist does not show who has how many cards in the box'],
        ])
        expect(await log(params, owner)).toEqual([])
      },
    )

    test('a draw that is prepared again uses the current rule if the earlier rule would reveal more', async () => {
      const { params, owner, cards } = await aBox({ own: 3, bens: 1 })
      await setRule(params, owner, { rule: 'people', rest: 0 })
      const { drawNumber } = await prepare(params, owner)
      await setRule(params, owner, { rule: 'cards', rest: 0 })
      const cardId = cards[0]?.id ?? ''
      await callOk(theApp(), ENDPOINTS.deleteCard, owner, { params: { ...params, cardId } })

      await reveal(params, owner, drawNumber)
      const { receipt } = await revealOk(params, owner, 2)

      expect([receipt.rule, receipt.table?.people.map(({ username }) => username)]).toEqual(['cards', [null]])
    })

    test('the rule of the watchlist applies to a draw that names no rule', async () => {
      const { params, owner } = await aBox()
      await setRule(params, owner, { rule: 'people', rest: 0 })

      const [own, other] = [await drawOnce(params, owner), await drawOnce(params, owner, { rule: 'cards' })]

      expect([own.receipt.rule, other.receipt.rule]).toEqual(['people', 'cards'])
    })
  })

  describe('a card that was put back', () => {
    test('a card that was put back rests for the number of draws set for the watchlist', async () => {
      const { params, owner } = await aBox({ own: 3 })
      await setRule(params, owner, { rule: 'cards', rest: 1 })
      const { cards } = await drawOnce(params, owner)
      await move(params, owner, cards[0]?.id ?? '', 'SUGGESTED')
      const resting = await odds(params, owner)

      const next = await prepare(params, owner)
      await revealOk(params, owner, next.drawNumber)

      expect([resting.eligible, resting.resting, next.eligible]).toEqual([2, 1, 2])
      expect(await odds(params, owner)).toMatchObject({ eligible: 2, resting: 0 })
    })

    test('a card that was put back does not rest if it is the only card in the box', async () => {
      const { params, owner, cards } = await aBox({ own: 1 })
      await setRule(params, owner, { rule: 'cards', rest: 5 })
      await drawOnce(params, owner)
      await move(params, owner, cards[0]?.id ?? '', 'SUGGESTED')

      expect(await odds(params, owner)).toMatchObject({ eligible: 1, resting: 0 })
      expect((await drawOnce(params, owner)).cards).toHaveLength(1)
    })
  })

  describe('a filter', () => {
    const FACTS = {
      Short: { runtimeMinutes: 80, genres: ['Drama'] },
      Long: { runtimeMinutes: 200, genres: ['Science Fiction', 'Drama'] },
      Scary: { runtimeMinutes: 90, genres: ['Horror'] },
      Unknown: {},
    }

    test.each<[string, Record<string, unknown>, string[]]>([
      ['by runtime', { maxRuntime: 105 }, ['Scary', 'Short']],
      [
        'by runtime, with unknown ones',
        { maxRuntime: 105, includeUnknownRuntime: true },
        ['Scary', 'Short', 'Unknown'],
      ],
      ['by genre', { withoutGenres: ['horror', 'science fiction'] }, ['Short', 'Unknown']],
      ['by both', { maxRuntime: 105, withoutGenres: ['HORROR'] }, ['Short']],
    ])('a filter %s draws only the cards that match', async (_what, filter, titles) => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const params = { watchlistId: watchlist.id }
      for (const [title, facts] of Object.entries(FACTS)) {
        const movie = { directors: [], source: 'manual', ids: {}, ...facts }
        const body = { title, image: 'https://example.org/poster.jpg', movie }
        await callOk(theApp(), ENDPOINTS.addCard, owner, { params, body })
      }

      const { cards, receipt } = await drawOnce(params, owner, { filter, picks: 7 })

      expect(cards.map(({ title }) => title).toSorted()).toEqual(titles)
      expect([receipt.filter, receipt.table?.filter]).toEqual([filter, filter])
      expect(await wrongSteps(receipt)).toEqual([])
    })

    test('a filter excludes movies that a named member has marked as seen', async () => {
      const { params, owner, ben } = await aBox({ own: 2 })
      const { cards } = await drawOnce(params, owner)
      const cardId = cards[0]?.id ?? ''
      await callOk(theApp(), ENDPOINTS.saveViewing, ben, { params: { ...params, cardId }, body: {} })
      await move(params, owner, cardId, 'SUGGESTED')

      const { id: nightId } = await callOk(theApp(), ENDPOINTS.openNight, owner, { params })
      await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: { nightId } })
      const unseen = (await drawOnce(params, owner, { filter: { unseenBy: ['ana', 'ben'] }, picks: 2 })).cards
      await move(params, owner, unseen[0]?.id ?? '', 'SUGGESTED')
      const unseenByAna = (await drawOnce(params, owner, { filter: { unseenBy: ['ana'] }, picks: 2 })).cards

      expect([unseen.length, unseenByAna.length]).toEqual([1, 2])
    })

    test('a filter can name only members who are at the open night', async () => {
      const { params, owner, ben } = await aBox({ own: 1 })
      const answers = async (unseenBy: string[]) => {
        const query = { filter: JSON.stringify({ unseenBy }) }
        const asked = await call(theApp(), ENDPOINTS.getDrawOdds, owner, { params, query })
        const prepared = await call(theApp(), ENDPOINTS.prepareDraw, owner, { params, body: { filter: { unseenBy } } })
        return [asked, prepared].map(({ status, body }) => [status, body.message])
      }
      const refused = [400, 'unseenBy: Only people who are at the open movie night can be named']
      expect(await answers(['ana'])).toEqual([refused, refused])

      const { id: nightId } = await callOk(theApp(), ENDPOINTS.openNight, owner, { params })
      expect(await answers(['ana', 'ben'])).toEqual([refused, refused])
      await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: { nightId } })
      expect(await answers(['ana', 'ben'])).toEqual([
        [200, undefined],
        [201, undefined],
      ])
      await callOk(theApp(), ENDPOINTS.leaveNight, ben, { params: { nightId } })
      expect(await answers(['ben'])).toEqual([refused, refused])
    })

    test('a draw of movies unseen by a member who left the night is prepared again only when they are back', async () => {
      const { params, owner, ben, cards } = await aBox({ own: 3 })
      const { id: nightId } = await callOk(theApp(), ENDPOINTS.openNight, owner, { params })
      await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: { nightId } })
      await prepare(params, owner, { filter: { unseenBy: ['ben'] } })
      await callOk(theApp(), ENDPOINTS.leaveNight, ben, { params: { nightId } })
      const cardId = cards[0]?.id ?? ''
      await callOk(theApp(), ENDPOINTS.deleteCard, owner, { params: { ...params, cardId } })

      const refused = await reveal(params, owner, 1)
      await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: { nightId } })
      const again = await reveal(params, owner, 1)

      expect([refused.status, refused.body.message]).toEqual([
        400,
        'unseenBy: Only people who are at the open movie night can be named',
      ])
      expect([again.status, again.body]).toMatchObject([409, { drawNumber: 2, eligible: 1, isBand: true }])
    })

    test('a filtered draw shows only a band until the reveal, and the table afterwards', async () => {
      const { params, owner, cards } = await aBox({ own: 6 })
      const filter = { withoutGenres: ['Horror'] }
      const prepared = await prepare(params, owner, { filter })
      const read = async (drawNumber: number) => {
        const receipt = await callOk(theApp(), ENDPOINTS.getDraw, owner, {
          params: { ...params, drawNumber: String(drawNumber) },
        })
        return [receipt.status, receipt.eligible, receipt.isBand, receipt.table === null]
      }
      expect([prepared.eligible, prepared.isBand, await read(1)]).toEqual([5, true, ['prepared', 5, true, true]])
      const cardId = cards[0]?.id ?? ''
      await callOk(theApp(), ENDPOINTS.deleteCard, owner, { params: { ...params, cardId } })

      expect((await reveal(params, owner, 1)).body).toMatchObject({ drawNumber: 2, eligible: 5, isBand: true })
      const { draws } = await callOk(theApp(), ENDPOINTS.listDraws, owner, { params })
      await revealOk(params, owner, 2)

      expect(draws.map(({ eligible, isBand }) => [eligible, isBand])).toEqual([
        [5, true],
        [5, true],
      ])
      expect([await read(1), await read(2)]).toEqual([
        ['replaced', 5, true, true],
        ['revealed', 5, false, false],
      ])
    })

    test.each([
      ['by length', { maxRuntime: 90, includeUnknownRuntime: true }, [null, null]],
      ['by genre', { withoutGenres: ['Horror'] }, [null, null]],
      ['without conditions', {}, ['ana', 'ben']],
    ])('the table names people only if the filter has no conditions: %s', async (_what, filter, names) => {
      const { params, owner, ben } = await aBox({ own: 3, bens: 1 })
      await setRule(params, owner, { rule: 'people', rest: 0 })
      await callOk(theApp(), ENDPOINTS.wantMovie, ben, { params, body: { title: 'A0' } })

      const { receipt } = await drawOnce(params, owner, { filter, picks: 7 })

      expect(receipt.table?.people.map(({ username }) => username)).toEqual(names)
      expect(receipt.table?.people.map(({ tickets }) => tickets.length).toSorted()).toEqual([2, 3])
      expect(await wrongSteps(receipt)).toEqual([])
    })

    test('a filter that matches no card gets 404', async () => {
      const { params, owner } = await aBox()

      const answer = await call(theApp(), ENDPOINTS.prepareDraw, owner, {
        params,
        body: { filter: { maxRuntime: 60 } },
      })

      expect([answer.status, answer.body.message]).toEqual([404, 'No card in the box matches the filter'])
    })
  })

  describe('a box of more than 2,000 cards', () => {
    async function aLargeBox() {
      const { params, owner, ben } = await aBox({ own: 0 })
      const titles = Array.from({ length: 2_100 }, (_, n) => `Film number ${n}`).join('\n')
      const body = { fileName: 'films.txt', fileData: Buffer.from(titles).toString('base64') }
      const { id: importId } = await callOk(theApp(), ENDPOINTS.beginImport, owner, { params, body })
      await callOk(theApp(), ENDPOINTS.applyImport, owner, { params: { ...params, importId } })
      await expect
        .poll(async () => (await callOk(theApp(), ENDPOINTS.countSuggestedCards, owner, { params })).count, {
          timeout: 30_000,
        })
        .toBe(2_100)
      return { params, owner, ben }
    }

    test('a draw from a box of more than 2,000 cards has no table, whatever the rule and filter', async () => {
      const { params, owner, ben } = await aLargeBox()
      await aCard(theApp(), { inside: { id: params.watchlistId }, by: ben, title: 'Rare' })
      // Chance takes the second of two people, and never finds the place of their card.
      const random = { ...systemRandom, below: (limit: number) => (limit === 2 ? 1 : 0) }
      const app = await startApp(theDatabase(), { random })

      await setRule(params, owner, { rule: 'people', rest: 0 })
      const { drawNumber } = await callOk(app, ENDPOINTS.prepareDraw, owner, { params, body: {} })
      const drawParams = { ...params, drawNumber: String(drawNumber) }
      const byPeople = await callOk(app, ENDPOINTS.revealDraw, owner, { params: drawParams, body: { seeds: [SEED] } })
      await app.stop()
      await setRule(params, owner, { rule: 'cards', rest: 0 })
      const prepared = await prepare(params, owner)
      const byCards = await revealOk(params, owner, prepared.drawNumber)
      const filter = { maxRuntime: 100, includeUnknownRuntime: true }
      const filtered = await drawOnce(params, owner, { filter, picks: 3 })

      expect(prepared).toEqual({ drawNumber: 2, commitment: null, eligible: 2_100, isBand: false })
      expect(byCards.receipt).toMatchObject({
        table: null,
        commitment: null,
        seeds: [SEED],
        picked: [{ ticket: null }],
      })
      expect(byCards.receipt.picked[0]?.odds).toBeCloseTo(1 / 2_100, 10)
      expect(filtered.cards).toHaveLength(3)
      expect(byPeople.receipt.picked.map((pick) => pick.odds)).toEqual([null])
      expect(byPeople.cards.map(({ title }) => title)).toEqual(['Rare'])
      expect(await callOk(theApp(), ENDPOINTS.countSuggestedCards, owner, { params })).toEqual({ count: 2_096 })
    })
  })

  test.each([
    ['no seed', []],
    ['a short seed', ['5e']],
    ['a seed in upper case', ['5E'.repeat(32)]],
    ['too many seeds', Array.from({ length: 201 }, () => SEED)],
  ])('a reveal with %s is rejected', async (_what, seeds) => {
    const { params, owner } = await aBox({ own: 1 })
    const { drawNumber } = await prepare(params, owner)

    expect((await reveal(params, owner, drawNumber, seeds)).status).toBe(400)
    expect(await log(params, owner)).toEqual(['1 prepared'])
  })
})
