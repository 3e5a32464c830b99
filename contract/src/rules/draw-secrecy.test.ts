import { expect, test } from 'vitest'

import type { DrawRule } from '../entities/draw.ts'
import { bandOf, hidesCount, inSteps, namesPeople, showsMore } from './draw-secrecy.ts'

test('the band of a count is none, fewer than 5, or 5 or more', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 100_000].map(bandOf)).toEqual([0, 1, 1, 1, 1, 5, 5, 5])
})

test('movie lengths are compared in steps of 15 minutes', () => {
  const lengths = [1, 14, 15, 29, 30, 100, 120].map((maxRuntime) => inSteps({ maxRuntime }).maxRuntime)
  expect(lengths).toEqual([0, 0, 15, 15, 30, 90, 120])
  expect(inSteps({ withoutGenres: ['Horror'] })).toEqual({ withoutGenres: ['Horror'] })
})

test.each<[DrawRule, DrawRule, boolean]>([
  ['cards', 'cards', false],
  ['cards', 'people', false],
  ['cards', 'waiting', false],
  ['people', 'cards', true],
  ['people', 'people', false],
  ['people', 'waiting', false],
  ['waiting', 'cards', true],
  ['waiting', 'people', false],
  ['waiting', 'waiting', false],
])('the rule "%s" reveals more than the rule "%s" of the watchlist: %s', (rule, ofWatchlist, more) => {
  expect(showsMore(rule, ofWatchlist)).toBe(more)
})

test('a table of odds names people unless a filter would reveal facts about their cards', () => {
  expect(namesPeople('cards', null)).toBe(false)
  expect(namesPeople('people', null)).toBe(true)
  expect(namesPeople('waiting', { unseenBy: ['ana'] })).toBe(true)
  expect(namesPeople('people', { maxRuntime: 90 })).toBe(false)
  expect(namesPeople('waiting', { withoutGenres: ['Horror'] })).toBe(false)
})

test('a count stays secret if the owner of a media server could choose what is counted', () => {
  expect([null, {}, { maxRuntime: 90 }, { unseenBy: ['ana'] }].map(hidesCount)).toEqual([false, false, false, false])
  expect(hidesCount({ watchable: true })).toBe(true)
  expect(namesPeople('people', { watchable: true })).toBe(false)
})
