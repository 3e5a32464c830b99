import { Problem } from '@marquee/contract/problems'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../profiles/service.ts'
import { beginChange, getForMember } from '../watchlists/service.ts'
import { mayChange, mayKnowOf } from './policy.ts'
import { findState } from './store.ts'

type Wish = { watchlistId: string; cardId: string; user: User }

/**
 * Lets a member through who may edit or delete the card.
 * @throws {Problem} NOT_FOUND, also where the card is in the box and somebody else's; FORBIDDEN.
 */
export async function getChangeable(db: AnyDb, { watchlistId, cardId, user }: Wish): Promise<void> {
  const { isOwner } = await getForMember(db, watchlistId, user)
  const card = await findState(db, watchlistId, cardId)
  if (!card) throw new Problem('NOT_FOUND')
  const isCreator = card.creator_id === user.userId
  if (!mayKnowOf({ isCreator, isInTheBox: isInTheBox(card.status) })) throw new Problem('NOT_FOUND')
  if (!mayChange({ isCreator, isOwner })) throw new Problem('FORBIDDEN')
}

/** `getChangeable` at the beginning of the transaction that makes the change. @throws {Problem} the same. */
export async function beginCardChange(trx: AnyDb, wish: Wish): Promise<void> {
  if ((await beginChange(trx, { ...wish, boxDelta: 0 })) === undefined) throw new Problem('NOT_FOUND')
  await getChangeable(trx, wish)
}
