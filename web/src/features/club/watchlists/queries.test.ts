import { expect, test } from 'vitest'

import { aWatchlist } from '#web/testing/samples.ts'

import { chooseCurrent } from './queries.ts'

const lists = [aWatchlist('w1'), aWatchlist('w2')]

test('the stored watchlist is current while it exists', () => {
  expect(chooseCurrent(lists, 'w2')).toBe('w2')
})

test.each([['gone'], [null]])('the first watchlist is current if the stored one is %j', (stored) => {
  expect(chooseCurrent(lists, stored)).toBe('w1')
})

test('a user without watchlists has no current watchlist', () => {
  expect(chooseCurrent([], 'w1')).toBeNull()
})
