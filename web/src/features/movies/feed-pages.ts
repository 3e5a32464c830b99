import type { Card, CardsPage } from '@marquee/contract/entities/card'
import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'

import type { Versioned } from '#web/api/caller.ts'

/** A card of the feed. Its comments are in a cache of their own. */
export type FeedCard = Card & { lastComments: [] }

export type FeedPage = Versioned<Omit<CardsPage, 'cards'> & { cards: FeedCard[] }>

/** The loaded part of the feed: pages in order, each with the token that it was read with (undefined for the first). */
export type FeedPages = InfiniteData<FeedPage>

/** The loaded page of a token. */
export function heldPage(feed: FeedPages | undefined, token: string | undefined): FeedPage | undefined {
  return feed?.pages[feed.pageParams.indexOf(token)]
}

/** A page with other cards. It has no version, since the server never sent it like this. */
function withCards({ nextToken }: FeedPage, cards: FeedCard[]): FeedPage {
  return { cards, nextToken }
}

/** The cards of each loaded page. A card that moved up while pages were loaded is shown once. */
export function shownPages({ pages }: FeedPages): FeedCard[][] {
  const seen = new Set<string>()
  return pages.map(({ cards }) => cards.filter(({ id }) => !seen.has(id) && seen.add(id)))
}

export function findCard(feed: FeedPages, cardId: string): FeedCard | undefined {
  for (const { cards } of feed.pages) {
    const found = cards.find(({ id }) => id === cardId)
    if (found !== undefined) return found
  }
  return undefined
}

/** The feed with the same objects for the cards that have not changed, wherever they are now. */
export function withSameCards(before: FeedPages | undefined, feed: FeedPages): FeedPages {
  if (before === undefined) return feed
  const changed = before.pages.filter((page) => !feed.pages.includes(page))
  if (changed.length === 0 && feed.pages.length === before.pages.length) return before
  const known = new Map(changed.flatMap(({ cards }) => cards.map((card) => [card.id, card])))
  const pages = feed.pages.map((page) =>
    before.pages.includes(page)
      ? page
      : { ...page, cards: page.cards.map((card) => replaceEqualDeep(known.get(card.id), card)) },
  )
  return { ...feed, pages }
}

/** The order of the feed: newest status change first, ties by id. */
function comesBefore(one: Card, other: Card): boolean {
  if (one.statusChangedAt !== other.statusChangedAt) return one.statusChangedAt > other.statusChangedAt
  return one.id > other.id
}

/** Changes one card of the feed. A card that is not in the feed is not added. */
export function withCardChanged(feed: FeedPages, cardId: string, change: (card: FeedCard) => FeedCard): FeedPages {
  const pages = feed.pages.map((page) =>
    page.cards.some(({ id }) => id === cardId)
      ? withCards(
          page,
          page.cards.map((card) => (card.id === cardId ? change(card) : card)),
        )
      : page,
  )
  return { ...feed, pages }
}

/** Puts a card where it belongs in the feed, unless that is below the loaded part. */
export function withCardInPlace(feed: FeedPages, card: FeedCard): FeedPages {
  if (findCard(feed, card.id)?.statusChangedAt === card.statusChangedAt) {
    return withCardChanged(feed, card.id, () => card)
  }
  const { pages, pageParams } = withoutCard(feed, card.id)
  for (const [number, page] of pages.entries()) {
    const index = page.cards.findIndex((other) => comesBefore(card, other))
    if (index === -1) continue
    return { pages: pages.with(number, withCards(page, page.cards.toSpliced(index, 0, card))), pageParams }
  }
  const last = pages.at(-1)
  if (last === undefined || last.nextToken !== null) return { pages, pageParams }
  return { pages: pages.with(-1, withCards(last, [...last.cards, card])), pageParams }
}

/** The feed without a card. */
export function withoutCard(feed: FeedPages, cardId: string): FeedPages {
  const pages = feed.pages.map((page) => {
    const cards = page.cards.filter(({ id }) => id !== cardId)
    return cards.length === page.cards.length ? page : withCards(page, cards)
  })
  return { ...feed, pages }
}

/** The feed with a card on top, where new and moved cards are. */
export function withCardOnTop(feed: FeedPages, card: FeedCard): FeedPages {
  const { pages, pageParams } = withoutCard(feed, card.id)
  const [first = { cards: [], nextToken: null }, ...others] = pages
  return {
    pages: [withCards(first, [card, ...first.cards]), ...others],
    pageParams: pages.length === 0 ? [undefined] : pageParams,
  }
}

/** Only the first page, from which a reload of the feed starts. */
export function firstPageOf({ pages, pageParams }: FeedPages): FeedPages {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}
