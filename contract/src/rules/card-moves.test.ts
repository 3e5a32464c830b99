import { describe, expect, test } from 'vitest'

import { CARD_MOVES, canMove, canUndo, historyVerb, isInTheBox, MOVE_TARGETS } from './card-moves.ts'

describe('moves of a card', () => {
  test.each([
    ['SUGGESTED', 'SUGGESTED', false],
    ['SUGGESTED', 'REVEALED', true],
    ['SUGGESTED', 'WATCHED', false],
    ['SUGGESTED', 'REJECTED', false],
    ['REVEALED', 'SUGGESTED', true],
    ['REVEALED', 'REVEALED', false],
    ['REVEALED', 'WATCHED', true],
    ['REVEALED', 'REJECTED', true],
    ['WATCHED', 'SUGGESTED', false],
    ['WATCHED', 'REVEALED', false],
    ['WATCHED', 'WATCHED', false],
    ['WATCHED', 'REJECTED', false],
    ['REJECTED', 'SUGGESTED', false],
    ['REJECTED', 'REVEALED', false],
    ['REJECTED', 'WATCHED', false],
    ['REJECTED', 'REJECTED', false],
  ] as const)('a move from %s to %s is possible: %s', (from, to, isPossible) => {
    expect(canMove(from, to)).toBe(isPossible)
  })

  test('cards move between four statuses', () => {
    expect(Object.keys(CARD_MOVES)).toEqual(['SUGGESTED', 'REVEALED', 'WATCHED', 'REJECTED'])
  })

  test('the move targets are put back, decline and accept, in this order', () => {
    expect(MOVE_TARGETS).toEqual(['SUGGESTED', 'REJECTED', 'WATCHED'])
  })
})

test.each([
  ['SUGGESTED', false],
  ['REVEALED', false],
  ['WATCHED', true],
  ['REJECTED', true],
] as const)('a move to %s can be undone: %s', (status, isPossible) => {
  expect(canUndo(status)).toBe(isPossible)
})

test.each([
  ['SUGGESTED', true],
  ['REVEALED', false],
  ['WATCHED', false],
  ['REJECTED', false],
] as const)('a card with the status %s is in the box: %s', (status, isInside) => {
  expect(isInTheBox(status)).toBe(isInside)
})

test.each([
  ['SUGGESTED', 0, 'suggested'],
  ['SUGGESTED', 2, 'putBack'],
  ['REVEALED', 1, 'revealed'],
  ['WATCHED', 2, 'watched'],
  ['REJECTED', 2, 'rejected'],
] as const)('the change to %s at index %i of the history is called %s', (status, index, verb) => {
  expect(historyVerb(status, index)).toBe(verb)
})
