import type { Card, CardsPage } from '@marquee/contract/entities/card'
import type { InfiniteData } from '@tanstack/react-query'

import type { Versioned } from '#web/api/caller.ts'

type FeedPage = Versioned<CardsPage>

/** The loaded part of the feed: pages in order, each with the token it was asked for (undefined for the first). */
export type FeedPages = InfiniteData<FeedPage>

/** What is loaded for a token. */
export function heldPage(feed: FeedPages | undefined, token: string | undefined): FeedPage | undefined {
  return feed?.pages[feed.pageParams.indexOf(token)]
}

/** A page with other cards on it. It has no version, since the server never sent it like this. */
function withCards({ nextToken }: FeedPage, cards: Card[]): FeedPage {
  return { cards, nextToken }
}

/** The cards of all loaded pages, first to last. A card that moved up while pages were loaded is shown once. */
export function cardsOf({ pages }: FeedPages): Card[] {
  const byId = new Map<string, Card>()
  for (const { cards } of pages) {
    for (const card of cards) {
      if (!byId.has(card.id)) byId.set(card.id, card)
    }
  }
  return [...byId.values()]
}

/** The card that was revealed last and still waits for a decision. */
export function newestWaiting(feed: FeedPages): Card | undefined {
  return cardsOf(feed).find(({ status }) => status === 'REVEALED')
}

export function findCard(feed: FeedPages, cardId: string): Card | undefined {
  for (const { cards } of feed.pages) {
    const found = cards.find(({ id }) => id === cardId)
    if (found !== undefined) return found
  }
  return undefined
}

/** The order of the feed: newest status change first, ties by id. */
function comesBefore(one: Card, other: Card): boolean {
  if (one.statusChangedAt !== other.statusChangedAt) return one.statusChangedAt > other.statusChangedAt
  return one.id > other.id
}

/** The feed with what one of its cards has become; a card that is not in it stays out. */
export function withCardChanged(feed: FeedPages, cardId: string, change: (card: Card) => Card): FeedPages {
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

/** The feed with a card where it belongs, unless that is below what is loaded so far. */
export function withCardInPlace(feed: FeedPages, card: Card): FeedPages {
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

/** The feed without a card, which went back into the box. */
export function withoutCard(feed: FeedPages, cardId: string): FeedPages {
  const pages = feed.pages.map((page) => {
    const cards = page.cards.filter(({ id }) => id !== cardId)
    return cards.length === page.cards.length ? page : withCards(page, cards)
  })
  return { ...feed, pages }
}

/** The feed with a card at its top, where new and newly changed cards stand. */
export function withCardOnTop(feed: FeedPages, card: Card): FeedPages {
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
