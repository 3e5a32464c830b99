import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { CardStatus } from '@marquee/contract/entities/card'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import { CARD_MOVES, isInTheBox, MOVE_TARGETS, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { type Caller, call, callOk } from '../../../../testing/call.ts'
import { lookIntoBox } from '../../../../testing/look-into-box.ts'
import { aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'

/**
 * The expected state: the box by slot; and for every card ever made its status (undefined once deleted), its creator, and
 * the member who accepted or declined it.
 */
type Model = {
  box: string[]
  cards: { id: string; creator: number; status: CardStatus | undefined; decidedBy?: number }[]
}

type Real = { watchlistId: string; people: readonly Caller[] }
type Command = fc.AsyncCommand<Model, Real>

const RUNS = { sqlite: 30, postgres: 10 }
/** Shrinking a failing example takes time. */
const TAKES_AT_MOST_MS = 180_000
const OWNER = 0
const PEOPLE = 3

eachDatabase({ product: productMigrations }, (theDatabase) => {
  // The clock does not move, so that every undo is in time even on a slow machine.
  const theApp = anApp(theDatabase, { clock: { now: () => new Date('2026-01-01T12:00:00.000Z') } })

  const callerOf = ({ people }: Real, who: number): Caller => people[who] ?? aUser()
  const nth = ({ cards }: Model, which: number) => cards[which % Math.max(cards.length, 1)]

  /** The card of the last slot moves into the gap of the card that leaves the box. */
  function leaveBox({ box }: Model, id: string): void {
    const slot = box.indexOf(id)
    const last = box.pop()
    if (last !== undefined && slot < box.length) box[slot] = last
  }

  /** After each step the replies and rows of the server match the model. */
  async function compare({ box, cards }: Model, { watchlistId, people }: Real): Promise<void> {
    const reader = people[1] ?? aUser()
    const { slots, statuses } = await lookIntoBox(theDatabase(), { id: watchlistId })
    expect(slots).toEqual(box.map((id, slot) => [slot, id]))
    const alive = cards.flatMap(({ id, status }) => (status === undefined ? [] : [[id, status] as const]))
    expect(statuses).toEqual(new Map(alive))
    const { count } = await callOk(theApp(), ENDPOINTS.countSuggestedCards, reader, { params: { watchlistId } })
    expect(count).toBe(box.length)
    const feed = await callOk(theApp(), ENDPOINTS.listCards, reader, { params: { watchlistId }, query: { limit: 50 } })
    const shown = alive.flatMap(([id, status]) => (isInTheBox(status) ? [] : [id]))
    expect(feed.cards.map((card) => card.id).toSorted()).toEqual(shown.toSorted())
  }

  function command(name: string, run: Command['run']): Command {
    return {
      check: () => true,
      run: async (model, real) => {
        await run(model, real)
        await compare(model, real)
      },
      toString: () => name,
    }
  }

  const add = (who: number, reveals: boolean) =>
    command(`${who} adds a card${reveals ? ', revealed' : ''}`, async (model, real) => {
      const body = { title: 'A film', image: 'https://example.org/a.jpg', revealImmediately: reveals }
      const params = { watchlistId: real.watchlistId }

      const card = await callOk(theApp(), ENDPOINTS.addCard, callerOf(real, who), { params, body })

      expect(card.selectionIndex).toBe(reveals ? null : model.box.length)
      if (!reveals) model.box.push(card.id)
      model.cards.push({ id: card.id, creator: who, status: reveals ? 'REVEALED' : 'SUGGESTED' })
    })

  const reveal = (who: number) =>
    command(`${who} reveals`, async (model, real) => {
      const params = { watchlistId: real.watchlistId }

      const answer = await call(theApp(), ENDPOINTS.revealRandomCard, callerOf(real, who), { params })

      expect(answer.status).toBe(model.box.length === 0 ? 404 : 200)
      if (model.box.length === 0) return
      expect(model.box).toContain(answer.body.id)
      leaveBox(model, answer.body.id)
      for (const card of model.cards) if (card.id === answer.body.id) card.status = 'REVEALED'
    })

  const move = (who: number, which: number, to: MoveTarget) =>
    command(`${who} moves card ${which} to ${to}`, async (model, real) => {
      const card = nth(model, which)
      const params = { watchlistId: real.watchlistId, cardId: card?.id ?? 'none' }

      const answer = await call(theApp(), ENDPOINTS.moveCard, callerOf(real, who), { params, body: { status: to } })

      if (card?.status === undefined) return expect(answer.status).toBe(404)
      const may = CARD_MOVES[card.status].includes(to)
      const refusal = isInTheBox(card.status) ? 404 : 400
      expect(answer.status).toBe(may ? 200 : refusal)
      if (!may) return undefined
      if (isInTheBox(to)) model.box.push(card.id)
      card.status = to
      card.decidedBy = who
      return undefined
    })

  const undo = (who: number, which: number) =>
    command(`${who} undoes the move of card ${which}`, async (model, real) => {
      const card = nth(model, which)
      const params = { watchlistId: real.watchlistId, cardId: card?.id ?? 'none' }

      const answer = await call(theApp(), ENDPOINTS.undoMove, callerOf(real, who), { params })

      expect(answer.status).toBe(statusOfUndo(card, who))
      if (answer.status === 200 && card) card.status = 'REVEALED'
    })

  function statusOfUndo(card: Model['cards'][number] | undefined, who: number): number {
    if (card?.status === undefined || card.status === 'SUGGESTED') return 404
    if (card.status === 'REVEALED') return 400
    return card.decidedBy === who ? 200 : 403
  }

  const remove = (who: number, which: number) =>
    command(`${who} deletes card ${which}`, async (model, real) => {
      const card = nth(model, which)
      const params = { watchlistId: real.watchlistId, cardId: card?.id ?? 'none' }

      const answer = await call(theApp(), ENDPOINTS.deleteCard, callerOf(real, who), { params })

      const status = statusOfDeletion(card, who)
      expect(answer.status).toBe(status)
      if (status !== 204 || !card) return
      if (card.status === 'SUGGESTED') leaveBox(model, card.id)
      card.status = undefined
    })

  function statusOfDeletion(card: Model['cards'][number] | undefined, who: number): number {
    if (card?.status === undefined) return 404
    if (card.creator === who) return 204
    if (isInTheBox(card.status)) return 404
    return who === OWNER ? 204 : 403
  }

  const who = fc.nat({ max: PEOPLE - 1 })
  const which = fc.nat({ max: 30 })
  const commands = fc.commands(
    [
      fc.tuple(who, fc.boolean()).map(([by, reveals]) => add(by, reveals)),
      fc.tuple(who).map(([by]) => add(by, false)),
      who.map(reveal),
      fc.tuple(who, which, fc.constantFrom(...MOVE_TARGETS)).map(([by, card, to]) => move(by, card, to)),
      fc.tuple(who, which).map(([by, card]) => undo(by, card)),
      fc.tuple(who, which).map(([by, card]) => remove(by, card)),
    ],
    { maxCommands: 40, size: 'max' },
  )

  test(
    'the box matches a simple model after any sequence of calls',
    async () => {
      const property = fc.asyncProperty(commands, async (steps) => {
        const members = [aUser('ben'), aUser('cem')]
        const { watchlist, owner } = await aWatchlist(theApp(), { members })
        const real: Real = { watchlistId: watchlist.id, people: [owner, ...members] }
        await fc.asyncModelRun(() => ({ model: { box: [], cards: [] }, real }), steps)
      })

      await expect(fc.assert(property, { numRuns: RUNS[theDatabase().dialect] })).resolves.toBeUndefined()
    },
    TAKES_AT_MOST_MS,
  )
})
