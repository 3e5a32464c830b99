import type { NightVoteState, OwnVeto } from '@marquee/contract/entities/vote'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import { type CardPorts, findLastChanges, putBackCards } from '../../movies/cards/service.ts'
import { listDrawn } from '../../draws/service.ts'
import type { User } from '../../club/people/service.ts'
import { type ChangePorts, changeWatchlist } from '../../club/watchlists/service.ts'
import { changeBehindLock } from './change.ts'
import { nightIdOf } from './present.ts'
import { readVetoes, readVote, requirePresence } from './read-vote.ts'
import type { NightKey } from './store.ts'
import { findVote, insertVeto, listPresent, listVetoesOf, saveVetoBudget } from './vote-store.ts'

/**
 * Uses a veto of a member or guest who is present on a card that was revealed in the night and is not decided yet. The card
 * goes back in the name of the member who revealed it, because the author of a veto stays unknown. Repeating the call
 * changes nothing while the card is in the box.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the card is not revealed, or no veto is left.
 */
export async function vetoCard(ports: CardPorts, user: User, nightId: string, cardId: string): Promise<NightVoteState> {
  return await changeBehindLock(ports, user, 'night.vote', nightId, async (trx, key, found) => {
    found.requireState('open')
    await requirePresence(trx, key, user)
    const { watchlistId, id } = key
    const { now: at, boxCount, happened } = found
    const { last } = (await findLastChanges(trx, { watchlistId, cardId })) ?? {}
    const own = await listVetoesOf(trx, watchlistId, { userId: user.userId, since: '' })
    const isRepeated = own.some(({ card_id, seq }) => card_id === cardId && seq === last?.seq)
    if (isRepeated) return await readVote(trx, user, { ...found, images: ports.images })
    // The same answer for a card in the box as for one that does not exist.
    if (last?.status !== 'REVEALED' || last.changed_at < (found.row.started_at ?? '')) {
      throw new Problem('BAD_REQUEST', 'cardId: This movie was not drawn tonight, or is decided already')
    }
    const vote = await findVote(trx, key)
    if (vote?.closed_at === null && (await listDrawn(trx, watchlistId, vote.draw_number)).includes(cardId)) {
      throw new Problem('BAD_REQUEST', 'cardId: Veto this movie in the vote')
    }
    await requireVeto(trx, user, key, { now: at })
    const present = (await listPresent(trx, key)).length
    const veto = { watchlist_id: watchlistId, night_id: id, card_id: cardId, seq: last.seq + 1, present, vetoed_at: at }
    await insertVeto(trx, { ...veto, user_id: user.userId })
    const by = last.changed_by
    await putBackCards(trx, { watchlistId, cardIds: [cardId], by, at, boxCount })
    happened('card.put-back', { cardId, by })
    happened('box.changed')
    happened('veto.used')
    return await readVote(trx, user, { ...found, images: ports.images })
  })
}

/** Sets how many vetoes each member has per month. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function setVetoBudget(
  ports: ChangePorts,
  user: User,
  watchlistId: string,
  vetoBudget: number,
): Promise<void> {
  await changeWatchlist(ports, user, 'night.setVetoes', { watchlistId }, async ({ trx, happened }) => {
    await saveVetoBudget(trx, { watchlist_id: watchlistId, veto_budget: vetoBudget })
    happened('night.vetoes-set')
  })
}

/** The vetoes that a user used on revealed cards of a watchlist, for the export of their data. */
export async function exportVetoes(
  { database: { read } }: Pick<CardPorts, 'database'>,
  watchlistId: string,
  { userId }: User,
): Promise<OwnVeto[]> {
  const rows = await listVetoesOf(read, watchlistId, { userId, since: '' })
  return rows.map(({ night_id: id, card_id: cardId, vetoed_at: vetoedAt }) => ({
    nightId: nightIdOf({ watchlist_id: watchlistId, id }),
    cardId,
    vetoedAt,
  }))
}

/** @throws {Problem} BAD_REQUEST. */
export async function requireVeto(
  trx: AnyDb,
  user: User,
  key: NightKey,
  at: Parameters<typeof readVetoes>[3],
): Promise<void> {
  const { vetoesLeft } = await readVetoes(trx, user, key, at)
  if (vetoesLeft > 0) return
  throw new Problem('BAD_REQUEST', user.pass ? 'You have no veto left tonight' : 'You have no veto left this month')
}
