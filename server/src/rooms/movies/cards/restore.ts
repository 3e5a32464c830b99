import type { ContentField } from '@marquee/contract/entities/card-content'
import type { RestorableCard } from '@marquee/contract/entities/export'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'
import { inParts } from '@marquee/platform/database/parts'

import { NO_POSTER } from '../images/service.ts'
import type { User } from '../../club/people/service.ts'
import { changeBoxCount } from '../../club/watchlists/service.ts'
import { insertCards } from './card/bulk-store.ts'
import { insertStatusChanges } from './card/status-store.ts'
import { newCardColumns } from './card/store.ts'
import { insertWants } from './card/want-store.ts'

type Person = Pick<User, 'userId' | 'username'>

/** A card from a file, under its new id. `imageUrl` is null if it has no poster. Each user in `wants` has a new id for it. */
export type RestoredCard = Pick<RestorableCard, ContentField | 'status' | 'createdAt' | 'updatedAt'> & {
  readonly id: string
  readonly imageUrl: string | null
  readonly creator: Person
  readonly history: readonly { status: RestorableCard['status']; changedBy: string; changedAt: string }[]
  readonly wants: readonly (Person & { id: string })[]
}

/** Adds at most a few hundred cards with their history to a watchlist that this transaction created. */
export async function restoreCards(trx: AnyDb, watchlistId: string, cards: readonly RestoredCard[]): Promise<void> {
  const inBox = cards.filter(({ status }) => isInTheBox(status))
  const firstSlot = (await changeBoxCount(trx, watchlistId, inBox.length)) - inBox.length
  const slotOf = new Map(inBox.map(({ id }, index) => [id, firstSlot + index]))
  await insertCards(
    trx,
    cards.map((card) => ({
      ...newCardColumns({ watchlistId, cardId: card.id }, card, card.creator, card.createdAt),
      image_url: card.imageUrl,
      image_hash: card.imageUrl === null ? NO_POSTER : null,
      status: card.status,
      updated_at: card.updatedAt,
      status_changed_at: card.history.at(-1)?.changedAt ?? card.createdAt,
      status_change_count: card.history.length,
      selection_index: slotOf.get(card.id) ?? null,
    })),
  )
  const changes = cards.flatMap(({ id, history }) =>
    history.map(({ status, changedBy, changedAt }, seq) => ({
      watchlist_id: watchlistId,
      card_id: id,
      seq,
      status,
      changed_by: changedBy,
      changed_at: changedAt,
    })),
  )
  const wants = cards.flatMap(({ id: cardId, title, movie, createdAt, wants: people }) =>
    people.map(({ id, userId, username }, index) => ({
      watchlist_id: watchlistId,
      card_id: cardId,
      user_id: userId,
      // A millisecond apart: they are shown in this order.
      created_at: new Date(Date.parse(createdAt) + index).toISOString(),
      id,
      username,
      title,
      movie: movie ? JSON.stringify(movie) : null,
    })),
  )
  for (const part of inParts(changes)) await insertStatusChanges(trx, part)
  for (const part of inParts(wants)) await insertWants(trx, part)
}
