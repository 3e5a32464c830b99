import { expect, test } from 'vitest'

import { aCard } from '#web/testing/samples.ts'

import { cardsOf, type FeedPages, firstPageOf, withCardOnTop, withoutCard } from './feed-pages.ts'

const feed = (...pages: string[][]): FeedPages => ({
  pages: pages.map((ids, index) => ({
    cards: ids.map((id) => aCard(id)),
    nextToken: index < pages.length - 1 ? `after-${index}` : null,
  })),
  pageParams: pages.map((_, index) => (index === 0 ? undefined : `after-${index - 1}`)),
})
const idsOf = (pages: FeedPages) => cardsOf(pages).map(({ id }) => id)

test('the cards of all pages stand in one row', () => {
  expect(idsOf(feed(['a', 'b'], ['c']))).toEqual(['a', 'b', 'c'])
})

test('a card that is on two pages, because it moved meanwhile, is shown once and where it was first', () => {
  expect(idsOf(feed(['a', 'b'], ['b', 'c']))).toEqual(['a', 'b', 'c'])
})

test('a new card goes on top', () => {
  expect(idsOf(withCardOnTop(feed(['a'], ['b']), aCard('new')))).toEqual(['new', 'a', 'b'])
})

test('a card that was further down comes to the top as it is now', () => {
  const changed = withCardOnTop(feed(['a'], ['b']), aCard('b', 'WATCHED'))

  expect(cardsOf(changed).map(({ id, status }) => `${id} ${status}`)).toEqual(['b WATCHED', 'a REVEALED'])
})

test('a card comes on top of a feed without pages', () => {
  const changed = withCardOnTop({ pages: [], pageParams: [] }, aCard('new'))

  expect(idsOf(changed)).toEqual(['new'])
  expect(changed.pageParams).toEqual([undefined])
})

test('a card that is put back leaves the feed', () => {
  expect(idsOf(withoutCard(feed(['a', 'b'], ['c']), 'b'))).toEqual(['a', 'c'])
})

test('a reload starts from the first page and knows how to go on', () => {
  const first = firstPageOf(feed(['a'], ['b'], ['c']))

  expect(first.pages.map(({ nextToken }) => nextToken)).toEqual(['after-0'])
  expect(first.pageParams).toEqual([undefined])
})
