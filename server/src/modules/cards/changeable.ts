import { Problem } from '@marquee/contract/problems'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../profiles/service.ts'
import { beginChange, getForMember } from '../watchlists/service.ts'
import { mayChange, mayKnowOf } from './policy.ts'
import { findState, type State } from './store.ts'

type Wish = { watchlistId: string; cardId: string; user: User }

/**
 * Lets a member through who may edit or delete the card.
 * @throws {Problem} NOT_FOUND, also where the card is in the box and somebody else's; FORBIDDEN.
 */
export async function getChangeable(db: AnyDb, { watchlistId, cardId, user }: Wish): Promise<void> {
  const { isOwner } = await getForMember(db, watchlistId, user)
  requireChangeable(await findState(db, watchlistId, cardId), { user, isOwner })
}

/**
 * `getChangeable` at the beginning of the transaction that makes the change. Gives where the card is.
 * @throws {Problem} the same.
 */
export async function beginCardChange(
  trx: AnyDb,
  { watchlistId, cardId, user }: Wish,
): Promise<{ isInTheBox: boolean }> {
  const [{ isOwner }, card] = await Promise.all([
    beginChange(trx, { watchlistId, user }),
    findState(trx, watchlistId, cardId),
  ])
  requireChangeable(card, { user, isOwner })
  return { isInTheBox: isInTheBox(card.status) }
}

function requireChangeable(
  card: State | undefined,
  { user, isOwner }: { user: User; isOwner: boolean },
): asserts card is State {
  if (!card) throw new Problem('NOT_FOUND')
  const isCreator = card.creator_id === user.userId
  if (!mayKnowOf({ isCreator, isInTheBox: isInTheBox(card.status) })) throw new Problem('NOT_FOUND')
  if (!mayChange({ isCreator, isOwner })) throw new Problem('FORBIDDEN')
}
