import type { CardStatus } from '@marquee/contract/entities/card'
import { expect, test } from 'vitest'

import { aCard } from '#web/testing/samples.ts'

import type { FeedCard } from '../feed-pages.ts'
import { type Gone, placeCards, type Places, NOTHING_SHOWN, withHeldShown } from './places.ts'

/** A card whose last change was by this user on this day of March. */
function card(id: string, day: number, changedBy = 'Ben', status: CardStatus = 'REVEALED'): FeedCard {
  const changedAt = `2026-03-${String(day).padStart(2, '0')}T10:00:00.000Z`
  const statusChanges = [{ status, changedBy, changedAt }]
  return { ...aCard(id, status, { statusChangedAt: changedAt, statusChanges }), lastComments: [] }
}

const place = (before: Places, pages: FeedCard[][], gone: ReadonlyMap<string, Gone> = new Map()) =>
  placeCards(before, pages, { username: 'ben', gone })
const idsOf = ({ first, others, held }: Places) => [first, [...others], held]

const SEEN = place(NOTHING_SHOWN, [[card('a', 9, 'Ana'), card('b', 8, 'Ana', 'WATCHED'), card('c', 7)], [card('d', 6)]])

test('the undecided cards of the first page start above the box, including those of others', () => {
  expect(idsOf(SEEN)).toEqual([['a', 'c'], ['b', 'd'], []])
})

test('an unchanged feed keeps its places', () => {
  expect(place(SEEN, [[card('a', 9), card('b', 8, 'Ana', 'WATCHED'), card('c', 7)], [card('d', 6)]])).toBe(SEEN)
})

test('a decided card stays in place, although the server lists it first', () => {
  const after = place(SEEN, [[card('c', 10, 'Ana', 'WATCHED'), card('a', 9), card('b', 8)], [card('d', 6)]])

  expect(idsOf(after)).toEqual([['a', 'c'], ['b', 'd'], []])
})

test('a card revealed by the user goes on top, and one revealed by another member waits', () => {
  const rest = [card('a', 9), card('b', 8), card('c', 7)]
  const after = place(SEEN, [[card('theirs', 12, 'Ana'), card('mine', 11, 'Ben'), ...rest], [card('d', 6)]])

  expect(idsOf(after)).toEqual([['mine', 'a', 'c'], ['b', 'd'], ['theirs']])
  expect(idsOf(withHeldShown(after))).toEqual([['theirs', 'mine', 'a', 'c'], ['b', 'd'], []])
})

test('a waiting card decided by another member joins the decided cards, and one that is put back disappears', () => {
  const rest = [card('a', 9), card('b', 8), card('c', 7)]
  const waiting = place(SEEN, [[card('new', 12, 'Ana'), card('x', 11, 'Ana'), ...rest], [card('d', 6)]])
  expect(idsOf(waiting)).toEqual([
    ['a', 'c'],
    ['b', 'd'],
    ['new', 'x'],
  ])

  const decided = place(waiting, [[card('new', 13, 'Cleo', 'REJECTED'), card('x', 11, 'Ana'), ...rest], [card('d', 6)]])
  expect(idsOf(decided)).toEqual([['a', 'c'], ['b', 'd', 'new'], ['x']])

  const without = place(decided, [[card('new', 13, 'Cleo', 'REJECTED'), ...rest], [card('d', 6)]])
  expect(idsOf(without)).toEqual([['a', 'c'], ['b', 'd', 'new'], []])
})

test('a card waits again when another member undoes a decision about it', () => {
  const rest = [card('a', 9), card('b', 8), card('c', 7)]
  const waiting = place(SEEN, [[card('new', 12, 'Ana'), ...rest], [card('d', 6)]])
  const decided = place(waiting, [[card('new', 13, 'Cleo', 'REJECTED'), ...rest], [card('d', 6)]])

  const undone = place(decided, [[card('new', 12, 'Ana'), ...rest], [card('d', 6)]])

  expect(idsOf(undone)).toEqual([['a', 'c'], ['b', 'd'], ['new']])
  expect(place(undone, [[card('new', 12, 'Ana'), ...rest], [card('d', 6)]])).toBe(undone)
})

test('a card that waited and was shown does not wait again when it returns with a later page', () => {
  const rest = [card('a', 9), card('b', 8), card('c', 7)]
  const shown = withHeldShown(place(SEEN, [[card('new', 12, 'Ana'), ...rest], [card('d', 6)]]))
  const firstPage = place(shown, [rest])
  const pages = [rest, [card('new', 12, 'Ana'), card('d', 6)]]

  const after = place(firstPage, pages)

  expect(idsOf(after)).toEqual([['a', 'c'], ['b', 'new', 'd'], []])
  expect(place(after, pages)).toBe(after)
})

test('a card revealed by another member waits even if the feed was empty', () => {
  const empty = place(NOTHING_SHOWN, [[]])

  expect(idsOf(place(empty, [[card('a', 9, 'Ana')]]))).toEqual([[], [], ['a']])
})

test('an older card that moves up to the first page appears below the box', () => {
  const after = place(SEEN, [[card('a', 9), card('b', 8), card('e', 5, 'Ana')]])

  expect(idsOf(after)).toEqual([['a'], ['b', 'e'], []])
})

test('a card whose move failed returns to its place', () => {
  const moved = place(SEEN, [[card('b', 8), card('c', 7)], [card('d', 6)]])
  expect(idsOf(moved)).toEqual([['c'], ['b', 'd'], []])

  const after = place(moved, [[card('a', 9, 'Ana'), card('b', 8), card('c', 7)], [card('d', 6)]])
  expect(idsOf(after)).toEqual([['a', 'c'], ['b', 'd'], []])
})

test('a card that was put back and is drawn again by another member waits, and is shown once', () => {
  const moved = place(SEEN, [[card('b', 8), card('c', 7)], [card('d', 6)]])
  const redrawn = place(moved, [[card('a', 10, 'Ana'), card('b', 8), card('c', 7)], [card('d', 6)]])
  expect(idsOf(redrawn)).toEqual([['c'], ['b', 'd'], ['a']])

  expect(idsOf(withHeldShown(redrawn))).toEqual([['a', 'c'], ['b', 'd'], []])
})

test('a card that was put back and is drawn again by the user goes on top', () => {
  const moved = place(SEEN, [[card('b', 8), card('c', 7)], [card('d', 6)]])

  const redrawn = place(moved, [[card('a', 10, 'Ben'), card('b', 8), card('c', 7)], [card('d', 6)]])
  expect(idsOf(redrawn)).toEqual([['a', 'c'], ['b', 'd'], []])
})

test('a card that another member removed keeps its place', () => {
  const gone = new Map([['a', { text: 'Ana put it back', height: 400, statusChangedAt: '' }]])

  expect(idsOf(place(SEEN, [[card('b', 8), card('c', 7)], [card('d', 6)]], gone))).toEqual([['a', 'c'], ['b', 'd'], []])
})
