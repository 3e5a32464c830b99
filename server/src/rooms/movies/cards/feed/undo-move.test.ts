import { beforeEach, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Card } from '@marquee/contract/entities/card'
import type { MoveTarget } from '@marquee/contract/rules/card-moves'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { recordingBus } from '../../../../testing/recording-bus.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { movableClock } from '../../../../testing/movable-clock.ts'
import { anApp } from '../../../../testing/start-app.ts'

const KEY = { 'idempotency-key': 'the-same-press-again' }

eachStatement({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const bus = recordingBus()
  const theApp = anApp(theDatabase, { clock, bus })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist
  let card: Card

  beforeEach(async () => {
    ben = aUser('ben')
    ;({ watchlist, owner: ana } = await aWatchlist(theApp(), { members: [ben] }))
    card = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
    clock.moveAhead(1000)
  })

  const inCard = () => ({ watchlistId: watchlist.id, cardId: card.id })
  const move = async (status: MoveTarget, by = ben) =>
    await callOk(theApp(), ENDPOINTS.moveCard, by, { params: inCard(), body: { status } })
  const undo = async (by = ben, headers = {}) =>
    await call(theApp(), ENDPOINTS.undoMove, by, { params: inCard(), headers })
  const feed = async () => (await callOk(theApp(), ENDPOINTS.listCards, ana, { params: inCard() })).cards

  test.each(['WATCHED', 'REJECTED'] as const)(
    'undoing a move to %s restores the card and leaves no trace of the move',
    async (status) => {
      const newer = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED', title: 'Newer' })
      clock.moveAhead(1)
      await move(status)
      expect((await feed()).map(({ id }) => id)).toEqual([card.id, newer.id])

      const answer = await undo()

      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ ...card, updatedAt: answer.body.updatedAt })
      expect(await feed()).toEqual([newer, answer.body])
      expect(bus.kindsFor(watchlist.id).slice(-2)).toEqual(['card-changed', 'card-changed'])
    },
  )

  test('an undone card can be moved again, and keeps its newer comments', async () => {
    await move('WATCHED')
    await callOk(theApp(), ENDPOINTS.addComment, ana, { params: inCard(), body: { content: 'Already?' } })
    await undo()

    const { statusChanges, lastComments } = await move('REJECTED', ana)

    expect(statusChanges.map(({ status, changedBy }) => [status, changedBy])).toEqual([
      ['SUGGESTED', 'ana'],
      ['REVEALED', 'ana'],
      ['REJECTED', 'ana'],
    ])
    expect(lastComments.map(({ content }) => content)).toEqual(['Already?'])
  })

  test('neither another member nor a former member can undo a move', async () => {
    await move('WATCHED')
    const byAna = await undo(ana)
    await call(theApp(), ENDPOINTS.removeMember, ben, { params: { ...inCard(), username: 'ben' } })
    const byBen = await undo(ben)

    expect([byAna.status, byAna.body.message]).toEqual([403, 'Only the member who decided can undo it'])
    expect(byBen.status).toBe(403)
    expect((await feed())[0]?.status).toBe('WATCHED')
  })

  test('an undo is accepted for ten seconds, plus five for the request', async () => {
    await move('WATCHED')
    clock.moveAhead(14_000)
    expect((await undo()).status).toBe(200)

    await move('WATCHED')
    clock.moveAhead(15_001)
    const late = await undo()

    expect([late.status, late.body.message]).toEqual([400, 'It is too late to undo this'])
    expect((await feed())[0]?.status).toBe('WATCHED')
  })

  test('a revealed card has nothing to undo, and a card that is in the box or deleted gets 404', async () => {
    const revealed = await undo(ana)
    await move('SUGGESTED')
    const inBox = await undo()
    await callOk(theApp(), ENDPOINTS.deleteCard, ana, { params: inCard() })
    const deleted = await undo()

    expect([revealed.status, revealed.body.message]).toEqual([400, 'There is nothing to undo'])
    expect([inBox.status, inBox.body]).toEqual([404, { type: 'NOT_FOUND', message: 'Resource not found' }])
    expect([deleted.status, deleted.body]).toEqual([inBox.status, inBox.body])
  })

  test(
    'only one of two concurrent undos succeeds, and a repeated request gets the same reply',
    { tags: ['race'] },
    async () => {
      await move('WATCHED')

      const answers = await Promise.all([undo(), undo()])
      await move('WATCHED')
      const [first, again] = [await undo(ben, KEY), await undo(ben, KEY)]

      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
      expect([first.status, again.status]).toEqual([200, 200])
      expect(again.body).toEqual(first.body)
    },
  )
})
