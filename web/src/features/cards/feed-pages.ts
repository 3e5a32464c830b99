import type { Card, CardsPage } from '@marquee/contract/entities/card'
import type { InfiniteData } from '@tanstack/react-query'

/** The loaded part of the feed: pages in order, each with the token it was asked for (undefined for the first). */
export type FeedPages = InfiniteData<CardsPage>

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

/** The feed without a card, which went back into the box. */
export function withoutCard(feed: FeedPages, cardId: string): FeedPages {
  const pages = feed.pages.map((page) => ({ ...page, cards: page.cards.filter(({ id }) => id !== cardId) }))
  return { ...feed, pages }
}

/** The feed with a card at its top, where new and newly changed cards stand. */
export function withCardOnTop(feed: FeedPages, card: Card): FeedPages {
  const { pages, pageParams } = withoutCard(feed, card.id)
  const [first = { cards: [], nextToken: null }, ...others] = pages
  return {
    pages: [{ ...first, cards: [card, ...first.cards] }, ...others],
    pageParams: pages.length === 0 ? [undefined] : pageParams,
  }
}

/** Only the first page, from which a reload of the feed starts. */
export function firstPageOf({ pages, pageParams }: FeedPages): FeedPages {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}
