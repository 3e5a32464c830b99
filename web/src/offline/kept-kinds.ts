import { CardsPage } from '@marquee/contract/entities/card'
import { CommentsPage } from '@marquee/contract/entities/comment'
import { Nights } from '@marquee/contract/entities/night'
import { Profile } from '@marquee/contract/entities/profile'
import { Watchlist } from '@marquee/contract/entities/watchlist'
import type { QueryKey } from '@tanstack/react-query'
import { z } from 'zod'

/** As many pages of a feed as a start without a connection shows. */
const KEPT_PAGES = 3

const Token = z.string().optional()

/**
 * What is kept, by the kind of its query. A shape leaves out what it does not name, and refuses what a version with another
 * contract kept.
 */
const SHAPES = {
  'watchlists list': z.array(Watchlist),
  'watchlists current': z.string().nullable(),
  'watchlists detail': Watchlist,
  'cards feed': firstPages(CardsPage.extend({ version: z.string().optional() })),
  'cards count': z.number(),
  comments: firstPages(CommentsPage.extend({ isSeed: z.literal(true).optional() })),
  'library pages': CardsPage.extend({ query: z.record(z.string(), z.unknown()), token: Token }),
  // The code that lets guests in is a secret.
  nights: Nights.transform(({ nights, ...rest }) => ({
    ...rest,
    nights: nights.map((night) => ({ ...night, joinCode: null })),
  })),
  'people person': Profile,
  'people own': Profile,
} as const satisfies Record<string, z.ZodType>

type KeptKind = keyof typeof SHAPES

/** The first pages of a list that grows as one reads. */
function firstPages<Page extends z.ZodType>(page: Page) {
  return z.object({ pages: z.array(page), pageParams: z.array(Token) }).transform(({ pages, pageParams }) => ({
    pages: pages.slice(0, KEPT_PAGES),
    pageParams: pageParams.slice(0, KEPT_PAGES),
  }))
}

/** What a query reads, if that is kept: its kind, and its watchlist. */
export function subjectOf(key: QueryKey): { kind: KeptKind; watchlistId: string | undefined } | undefined {
  const [area, second, third] = key
  const words = area === 'watchlists' || area === 'people' ? [area, second] : [area, third]
  const kind = area === 'comments' || area === 'nights' ? area : words.join(' ')
  if (!isKept(kind) || (area === 'comments' && key.length !== 3) || (area === 'nights' && key.length !== 2)) {
    return undefined
  }
  const watchlistId = kind === 'watchlists detail' ? third : second
  const isOfOne = area !== 'people' && kind !== 'watchlists list' && kind !== 'watchlists current'
  return { kind, watchlistId: isOfOne ? String(watchlistId) : undefined }
}

function isKept(kind: string): kind is KeptKind {
  return Object.hasOwn(SHAPES, kind)
}

/** The part of a reply that is kept, undefined if it is not such a reply. */
export function keptPart(kind: KeptKind, data: unknown): unknown {
  const parsed = SHAPES[kind].safeParse(data)
  return parsed.success ? parsed.data : undefined
}
