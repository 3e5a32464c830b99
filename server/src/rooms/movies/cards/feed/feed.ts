import type { Card, CardsPage } from '@marquee/contract/entities/card'
import { Problem } from '@marquee/contract/problems'
import { pageOf } from '@marquee/contract/rules/page'
import type { AnyDb } from '@marquee/platform/database/database'
import type { ReadyJson } from '@marquee/platform/http/ready-json'

import type { Access } from '../../../club/watchlists/service.ts'
import { cursorAfter, readCursor } from '../card/cursor.ts'
import { findCardOfFeed, listFeed } from './feed-store.ts'
import type { CardPorts } from '../card/ports.ts'
import { presentCard, presentPage } from '../card/present.ts'

/**
 * A page of the feed: the cards that are not in the box, newest status change first. `nextToken` is null on the last.
 * @throws {Problem} BAD_REQUEST if the token is invalid.
 */
export async function listCards(
  db: AnyDb,
  { images }: Pick<CardPorts, 'images'>,
  { watchlistId, limit, nextToken }: { watchlistId: string; limit: number; nextToken?: string | undefined },
): Promise<ReadyJson<CardsPage>> {
  const rows = await listFeed(db, watchlistId, { after: readCursor(nextToken), limit: limit + 1 })
  const page = pageOf(rows, limit, cursorAfter)
  return presentPage(page.shown, page.nextToken, images.posterOf)
}

/** One card of the feed. @throws {Problem} NOT_FOUND, also where it is in the box. */
export async function getCard(ports: CardPorts, { watchlistId }: Access, cardId: string): Promise<Card> {
  const row = await findCardOfFeed(ports.database.read, { watchlistId, cardId })
  if (!row) throw new Problem('NOT_FOUND')
  return presentCard(row, ports.images.posterOf)
}
