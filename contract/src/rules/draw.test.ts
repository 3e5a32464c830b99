import { describe, expect, test } from 'vitest'

import type { DrawPerson } from '../entities/draw.ts'
import { integersFrom, oddsOf, pickTickets, waitingWeight } from './draw.ts'

test('an integer beyond the last full range is skipped', () => {
  const block = new Uint8Array(32).fill(255)
  block.set([0, 0, 0, 0, 0, 0, 0, 7], 24)

  // 2^64 leaves the remainder 6 when divided by 10, so three times the largest integer is skipped.
  expect(integersFrom(() => block)(10n)).toBe(7n)
})

describe('odds', () => {
  const people: DrawPerson[] = [
    { username: 'Ana', weight: 1, tickets: ['a', 'b', 'c', 'd'] },
    { username: 'Ben', weight: 3, tickets: ['d', 'e'] },
  ]

  test.each([
    ['a', 0.0625],
    ['d', 0.4375],
    ['e', 0.375],
    ['f', 0],
  ])('ticket %s is drawn with a chance of %f', (ticket, odds) => {
    expect(oddsOf(people, ticket)).toBe(odds)
  })

  test('a person whose tickets are used up leaves the draw, and the odds of the next pick rise', () => {
    const one: DrawPerson[] = [
      { username: 'Ana', weight: 1, tickets: ['a'] },
      { username: 'Ben', weight: 1, tickets: ['b'] },
    ]

    expect(pickTickets(one, 3, () => 0n)).toMatchObject([
      { ticket: 'a', odds: 0.5, person: { username: 'Ana' }, people: [{ username: 'Ana' }, { username: 'Ben' }] },
      { ticket: 'b', odds: 1, person: { username: 'Ben' }, people: [{ username: 'Ben' }] },
    ])
  })
})

describe('the weight of a person who waits', () => {
  const twelveOfBen = Array.from({ length: 12 }, () => ['ben'])

  test.each<[string, string[][], number]>([
    ['nothing was accepted yet', [], 1],
    ['their card was accepted last', [['ana'], ['ben']], 1],
    ['two cards of others were accepted since', [['ben'], ['cleo'], ['ben', 'ana'], ['cleo']], 3],
    ['their cards were never accepted', [['ben'], ['ben']], 3],
    ['they waited for more than ten accepted cards', twelveOfBen, 10],
  ])('the weight of a person is right if %s', (_when, accepted, weight) => {
    expect(waitingWeight('ana', accepted)).toBe(weight)
  })
})
