import type { SuggestionsPage } from '@marquee/contract/entities/card'
import { pageOf } from '@marquee/contract/rules/page'
import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../../../club/people/service.ts'
import { cursorAfter, readCursor } from '../card/cursor.ts'
import { presentCard } from '../card/present.ts'
import type { CardPorts } from '../card/ports.ts'
import { countSuggestions, findSuggestions } from './suggestion-store.ts'
import { countWantsOf } from '../card/want-store.ts'

/**
 * The caller's own cards in the box, the latest first, and their number; and how many others the caller wants. The cards
 * of other members stay secret.
 * @throws {Problem} BAD_REQUEST if the token is invalid.
 */
export async function listSuggestions(
  db: AnyDb,
  { images }: Pick<CardPorts, 'images'>,
  { userId: creatorId }: User,
  { watchlistId, limit, nextToken }: { watchlistId: string; limit: number; nextToken?: string | undefined },
): Promise<SuggestionsPage> {
  const own = { watchlistId, creatorId }
  const rows = await findSuggestions(db, own, { after: readCursor(nextToken), limit: limit + 1 })
  const page = pageOf(rows, limit, cursorAfter)
  return {
    cards: page.shown.map((row) => presentCard(row, images.posterOf)),
    nextToken: page.nextToken,
    count: await countSuggestions(db, own),
    wantCount: await countWantsOf(db, { watchlistId, userId: creatorId }),
  }
}
