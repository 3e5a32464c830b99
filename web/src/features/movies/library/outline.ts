import type { CardsPage } from '@marquee/contract/entities/card'
import type { InfiniteData } from '@tanstack/react-query'
import { z } from 'zod'

import { readJson } from '#web/api/read-json.ts'
import type { Draft } from '#web/session/drafts.ts'

import type { LibraryQuery } from './library-search.ts'

/** What the list knows of a page whose cards may not be loaded. `query` found it. */
type PageOutline = { query: LibraryQuery; count: number; nextToken: string | null }

/** The pages in order, each with its token (undefined for the first). */
export type Outline = InfiniteData<PageOutline>

/**
 * Corrects a page after it was read again. If it ends at another card, the next page begins there, and is read and corrected
 * in turn when it is near the screen.
 */
export function withPage(outline: Outline, token: string | undefined, { cards, nextToken }: CardsPage): Outline {
  const place = outline.pageParams.indexOf(token)
  const known = outline.pages[place]
  const count = cards.length
  if (known === undefined || (known.count === count && known.nextToken === nextToken)) return outline
  const end = nextToken === null ? place + 1 : outline.pages.length
  return {
    pages: outline.pages.with(place, { ...known, count, nextToken }).slice(0, end),
    pageParams: outline.pageParams
      .map((param, n) => (n === place + 1 ? (nextToken ?? undefined) : param))
      .slice(0, end),
  }
}

/** The place of the first card of each page, and behind them the count of all cards. */
export function startsOf(pages: readonly PageOutline[]): number[] {
  const starts = [0]
  for (const { count } of pages) starts.push((starts.at(-1) ?? 0) + count)
  return starts
}

const Kept = z.object({
  query: z.string(),
  counts: z.array(z.number()).min(1),
  nextTokens: z.array(z.string().nullable()),
})

/** Keeps the outline for a reload. */
export function keepOutline(draft: Draft, { pages }: Outline): void {
  const kept: z.infer<typeof Kept> = {
    query: JSON.stringify(pages.at(0)?.query),
    counts: pages.map(({ count }) => count),
    nextTokens: pages.map(({ nextToken }) => nextToken),
  }
  draft.save(JSON.stringify(kept))
}

/** The kept outline, if it is of this query. */
export function readOutline(draft: Draft, query: LibraryQuery): Outline | undefined {
  const kept = readJson(Kept, draft.read())
  if (kept?.query !== JSON.stringify(query)) return undefined
  const { counts, nextTokens } = kept
  return {
    pages: counts.map((count, n) => ({ query, count, nextToken: nextTokens[n] ?? null })),
    pageParams: counts.map((_, n) => nextTokens[n - 1] ?? undefined),
  }
}
