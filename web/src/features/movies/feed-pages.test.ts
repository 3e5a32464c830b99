import { expect, test } from 'vitest'

import { aCard } from '#web/testing/samples.ts'

import {
  type FeedCard,
  type FeedPages,
  findCard,
  firstPageOf,
  heldPage,
  shownPages,
  withCardChanged,
  withCardInPlace,
  withCardOnTop,
  withoutCard,
  withSameCards,
} from './feed-pages.ts'

const card = (...sample: Parameters<typeof aCard>): FeedCard => ({ ...aCard(...sample), lastComments: [] })
const feed = (...pages: string[][]): FeedPages => ({
  pages: pages.map((ids, index) => ({
    cards: ids.map((id) => card(id)),
    nextToken: index < pages.length - 1 ? `after-${index}` : null,
  })),
  pageParams: pages.map((_, index) => (index === 0 ? undefined : `after-${index - 1}`)),
})
const cardsOf = (pages: FeedPages) => shownPages(pages).flat()
const idsOf = (pages: FeedPages) => cardsOf(pages).map(({ id }) => id)

test('the cards of all pages form one list', () => {
  expect(idsOf(feed(['a', 'b'], ['c']))).toEqual(['a', 'b', 'c'])
})

test('a card that moved between pages is shown once, at its first place', () => {
  expect(idsOf(feed(['a', 'b'], ['b', 'c']))).toEqual(['a', 'b', 'c'])
})

test('a new card goes on top', () => {
  expect(idsOf(withCardOnTop(feed(['a'], ['b']), card('new')))).toEqual(['new', 'a', 'b'])
})

test('a card from further down moves to the top in its new state', () => {
  const changed = withCardOnTop(feed(['a'], ['b']), card('b', 'WATCHED'))

  expect(cardsOf(changed).map(({ id, status }) => `${id} ${status}`)).toEqual(['b WATCHED', 'a REVEALED'])
})

test('a card put on top of a feed without pages becomes its only card', () => {
  const changed = withCardOnTop({ pages: [], pageParams: [] }, card('new'))

  expect(idsOf(changed)).toEqual(['new'])
  expect(changed.pageParams).toEqual([undefined])
})

test('a card that is put back leaves the feed', () => {
  expect(idsOf(withoutCard(feed(['a', 'b'], ['c']), 'b'))).toEqual(['a', 'c'])
})

test('a reload keeps only the first page and its next token', () => {
  const first = firstPageOf(feed(['a'], ['b'], ['c']))

  expect(first.pages.map(({ nextToken }) => nextToken)).toEqual(['after-0'])
  expect(first.pageParams).toEqual([undefined])
})

const at = (id: string, hour: number) => card(id, 'WATCHED', { statusChangedAt: `2026-03-02T${hour}:00:00.000Z` })
/** Two pages of cards that changed at 18, 16 and 14, 12 o'clock; `hasMore` if there are others below. */
const dated = (hasMore: boolean): FeedPages => ({
  pages: [
    { cards: [at('a', 18), at('b', 16)], nextToken: 'more' },
    { cards: [at('c', 14), at('d', 12)], nextToken: hasMore ? 'and more' : null },
  ],
  pageParams: [undefined, 'more'],
})

test.each([
  [19, true, ['x', 'a', 'b', 'c', 'd']],
  [15, true, ['a', 'b', 'x', 'c', 'd']],
  [13, true, ['a', 'b', 'c', 'x', 'd']],
  [11, false, ['a', 'b', 'c', 'd', 'x']],
  [11, true, ['a', 'b', 'c', 'd']],
])('a card that changed at %i o’clock is sorted into the loaded pages', (hour, hasMore, ids) => {
  expect(idsOf(withCardInPlace(dated(hasMore), at('x', hour)))).toEqual(ids)
})

test('the later id is first if two cards changed at the same time', () => {
  expect(idsOf(withCardInPlace(dated(true), at('bb', 16)))).toEqual(['a', 'bb', 'b', 'c', 'd'])
})

test('a moved card leaves its old place, and an edited card keeps it', () => {
  expect(idsOf(withCardInPlace(dated(true), at('d', 19)))).toEqual(['d', 'a', 'b', 'c'])

  const renamed = withCardInPlace(dated(true), { ...at('b', 16), title: 'New' })
  expect([idsOf(renamed), findCard(renamed, 'b')?.title]).toEqual([['a', 'b', 'c', 'd'], 'New'])
})

test('a change of one card does not change others', () => {
  const before = dated(true)

  const after = withCardChanged(before, 'c', (changed) => ({ ...changed, title: 'New' }))

  expect(findCard(after, 'c')?.title).toBe('New')
  expect(after.pages[0]).toBe(before.pages[0])
  expect(findCard(after, 'd')).toBe(findCard(before, 'd'))
  expect(findCard(after, 'nowhere')).toBeUndefined()
})

test('a page that was changed in the browser loses its version and is read in full', () => {
  const { pages, pageParams } = feed(['a', 'b'], ['c'])
  const loaded = { pages: pages.map((page, index) => ({ ...page, version: `v${index}` })), pageParams }

  const changed = withoutCard(loaded, 'c')

  expect(heldPage(changed, undefined)?.version).toBe('v0')
  expect(heldPage(changed, 'after-0')).toEqual({ cards: [], nextToken: null })
  expect(heldPage(changed, 'never loaded')).toBeUndefined()
})

test('unchanged cards stay the same objects, even if they moved', () => {
  const before = feed(['a', 'b'], ['c'])
  const read = feed(['new', 'a'], ['b', 'c'])

  const [added, ...others] = cardsOf(withSameCards(before, read))

  expect(added?.id).toBe('new')
  expect(others.map((card) => cardsOf(before).indexOf(card))).toEqual([0, 1, 2])
})

test('a changed card is a new object', () => {
  const before = feed(['a', 'b'])
  const decided = card('b', 'WATCHED')

  const [a, b] = cardsOf(withSameCards(before, withCardOnTop(before, decided))).toReversed()

  expect(a).toBe(cardsOf(before)[0])
  expect(b).toEqual(decided)
})

test('a page that is read again gets its new version', () => {
  const [page] = feed(['a']).pages
  const versioned = (version: string) => ({ pages: page ? [{ ...page, version }] : [], pageParams: [undefined] })

  const read = withSameCards(versioned('v0'), versioned('v1'))

  expect(read.pages.map(({ version }) => version)).toEqual(['v1'])
})

test('an unchanged feed stays the same object', () => {
  const before = feed(['a'], ['b'])

  expect(withSameCards(before, { ...before, pages: [...before.pages] })).toBe(before)
})
