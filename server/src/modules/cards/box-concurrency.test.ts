import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Card } from '@marquee/contract/entities/card'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import { canMove, MOVE_TARGETS, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../migrations/index.ts'
import { type Caller, call, callOk } from '../../testing/call.ts'
import { lookIntoBox } from '../../testing/look-into-box.ts'
import { aUser, aWatchlist } from '../../testing/make.ts'
import { anApp } from '../../testing/start-app.ts'

/** What somebody does; a card is meant by its place among all that were ever added. */
type Action =
  | { kind: 'add'; who: number; reveals: boolean }
  | { kind: 'reveal'; who: number }
  | { kind: 'move'; who: number; card: number; to: MoveTarget }
  | { kind: 'delete'; who: number; card: number }

const PEOPLE = 4
const RUNS = 15
/** A failure is made smaller before it is shown, which takes its time. */
const TAKES_AT_MOST_MS = 180_000
const ALLOWED: Record<Action['kind'], readonly number[]> = {
  add: [201],
  reveal: [200, 404],
  move: [200, 400, 404],
  delete: [204, 403, 404],
}

const who = fc.nat({ max: PEOPLE - 1 })
const card = fc.nat({ max: 20 })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), who, reveals: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('reveal' as const), who }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('move' as const), who, card, to: fc.constantFrom(...MOVE_TARGETS) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), who, card }) },
)
/** Rounds; what is in one happens at the same time. */
const rounds = fc.array(fc.array(action, { minLength: 2, maxLength: 8 }), { minLength: 3, maxLength: 10 })

eachDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  /** A watchlist with all that the server said it did there. */
  async function aDiary() {
    const members = ['ben', 'cem', 'dot'].map(aUser)
    const { watchlist, owner } = await aWatchlist(theApp(), { members })
    const people = [owner, ...members]
    const added: string[] = []
    const deleted = new Set<string>()
    /** The cards that came out of the box, as often as they did. */
    const drawn: string[] = []

    async function act(step: Action): Promise<void> {
      const caller: Caller = people[step.who] ?? owner
      const cardId = 'card' in step ? (added[step.card % Math.max(added.length, 1)] ?? 'none') : 'none'
      const input = { params: { watchlistId: watchlist.id, cardId } }
      const { status, body } = await send(step, caller, input)
      expect(ALLOWED[step.kind]).toContain(status)
      if (step.kind === 'add') added.push(body.id)
      if (step.kind === 'add' && step.reveals) drawn.push(body.id)
      if (step.kind === 'reveal' && status === 200) drawn.push(body.id)
      if (step.kind === 'delete' && status === 204) deleted.add(cardId)
    }

    return { watchlist, owner, added, deleted, drawn, act }
  }

  async function send(step: Action, caller: Caller, input: { params: { watchlistId: string; cardId: string } }) {
    switch (step.kind) {
      case 'add': {
        const content = { title: 'A film', image: 'https://example.org/a.jpg', revealImmediately: step.reveals }
        return await call(theApp(), ENDPOINTS.addCard, caller, { ...input, body: content })
      }
      case 'reveal':
        return await call(theApp(), ENDPOINTS.revealRandomCard, caller, input)
      case 'move':
        return await call(theApp(), ENDPOINTS.moveCard, caller, { ...input, body: { status: step.to } })
      case 'delete': {
        const { status } = await call(theApp(), ENDPOINTS.deleteCard, caller, input)
        return { status, body: { id: '' } }
      }
    }
  }

  /** How often the card was drawn, if its history is one that can have happened. */
  function drawsIn({ statusChanges }: Card): number {
    const statuses = statusChanges.map((change) => change.status)
    expect(statuses[0]).toBe('SUGGESTED')
    statuses.slice(1).forEach((status, index) => {
      expect(canMove(statuses[index] ?? status, status)).toBe(true)
    })
    return statuses.filter((status) => status === 'REVEALED').length
  }

  test(
    'whatever members do at the same moment, slots stay dense, the count right, no card is lost or drawn twice',
    async () => {
      const property = fc.asyncProperty(rounds, async (plan) => {
        const { watchlist, owner, added, deleted, drawn, act } = await aDiary()
        const params = { watchlistId: watchlist.id }
        for (const round of plan) {
          await Promise.all(round.map(act))

          const { slots, statuses } = await lookIntoBox(theDatabase(), watchlist)
          const { count } = await callOk(theApp(), ENDPOINTS.countSuggestedCards, owner, { params })
          expect(slots.map(([slot]) => slot)).toEqual(Array.from({ length: count }, (_, slot) => slot))
          expect(new Set(statuses.keys())).toEqual(new Set(added.filter((id) => !deleted.has(id))))
        }
        const { cards } = await callOk(theApp(), ENDPOINTS.listCards, owner, { params, query: { limit: 50 } })
        for (const shown of cards) {
          expect(drawsIn(shown)).toBe(drawn.filter((id) => id === shown.id).length)
        }
      })

      await fc.assert(property, { numRuns: RUNS })
    },
    TAKES_AT_MOST_MS,
  )
})
