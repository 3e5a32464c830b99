import type { NightVoteState, OwnVeto } from '@marquee/contract/entities/vote'
import { DEFAULT_VETO_BUDGET } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { valueWith } from '@marquee/platform/database/sent'
import { together } from '@marquee/platform/database/statement-runner'

import { type CardPorts, findLastChanges, putBackCards } from '../../../movies/cards/service.ts'
import type { Principal, User } from '../../../club/people/service.ts'
import { authorizeRead, type ChangePorts, changeWatchlist } from '../../../club/watchlists/service.ts'
import { changeBehindLock, type Found } from '../night/change.ts'
import { requireAmong } from './latest-vote.ts'
import { nightIdOf } from '../night/present.ts'
import {
  isByAttendee,
  type OwnEvening,
  presentEvening,
  readOwnEvening,
  readVote,
  type UsedVetoes,
  vetoesOf,
} from './read-vote.ts'
import type { NightKey } from '../night/store.ts'
import { findVetoBudget, insertVeto, listVetoesOf, saveVetoBudget, type VoteRow } from './vote-store.ts'

/**
 * Uses a veto of a member or guest who is present on a card that was revealed in the night and is not decided yet. The card
 * goes back in the name of the member who revealed it, because the author of a veto stays unknown. Repeating the call
 * changes nothing while the card is in the box.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the card is not revealed, or no veto is left.
 */
export async function vetoCard(
  ports: CardPorts,
  user: Principal,
  nightId: string,
  cardId: string,
): Promise<NightVoteState> {
  const veto = async (trx: AnyDb, key: NightKey, found: Found & { read: BeforeVeto }) => {
    const { evening, changes, own } = found.read
    const { row: vote, roll, shortlist } = evening.vote
    const { now: at, boxCount, happened } = found
    found.requireState('open')
    requireAmong(roll.present, user)
    const { watchlistId, id } = key
    const { last } = changes ?? {}
    const isRepeated = own.some(({ card_id, seq }) => card_id === cardId && seq === last?.seq)
    const night = { ...found, images: ports.images }
    if (isRepeated) return await presentEvening(trx, user, night, evening)
    // The same answer for a card in the box as for one that does not exist.
    const isOfNight =
      last?.status === 'REVEALED' &&
      last.changed_at >= (found.row.started_at ?? '') &&
      isByAttendee({ changedBy: last.changed_by, changedAt: last.changed_at }, evening.attendees)
    if (!isOfNight) {
      throw new Problem('BAD_REQUEST', 'cardId: This movie was not drawn tonight, or is already decided')
    }
    if (vote?.closed_at === null && shortlist.includes(cardId)) {
      throw new Problem('BAD_REQUEST', 'cardId: Veto this movie in the vote')
    }
    requireVeto(user, evening.vetoes)
    const seq = last.seq + 1
    const present = roll.present.length
    const row = { watchlist_id: watchlistId, night_id: id, card_id: cardId, seq, present, vetoed_at: at }
    const by = last.changed_by
    const saved = [
      insertVeto.send(trx, { ...row, user_id: user.userId }),
      ...putBackCards(trx, { watchlistId, cards: [{ id: cardId, changeCount: seq }], by, at, boxCount }),
    ]
    happened('card.put-back', { cardId, by })
    happened('box.changed')
    happened('veto.used')
    return valueWith(await readVote(trx, user, night), saved)
  }
  return await changeBehindLock(ports, user, 'night.vote', nightId, veto, async (db, key) => {
    const { watchlistId } = key
    const [evening, changes, own] = await together(
      readOwnEvening(db, user, key, ports.clock.now().toISOString()),
      findLastChanges(db, { watchlistId, cardId }),
      listVetoesOf(db, { watchlistId, userId: user.userId, since: '' }),
    )
    return { evening, changes, own }
  })
}

type BeforeVeto = {
  readonly evening: OwnEvening
  readonly changes: Awaited<ReturnType<typeof findLastChanges>>
  readonly own: Awaited<ReturnType<typeof listVetoesOf>>
}

/** How many vetoes each member has per month. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function getVetoBudget(
  { database: { read } }: Pick<CardPorts, 'database'>,
  user: User,
  watchlistId: string,
): Promise<number> {
  await authorizeRead(read, user, 'night.read', watchlistId)
  return (await findVetoBudget(read, watchlistId)) ?? DEFAULT_VETO_BUDGET
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
  { userId }: Principal,
): Promise<OwnVeto[]> {
  const rows = await listVetoesOf(read, { watchlistId, userId, since: '' })
  return rows.map(({ night_id: id, card_id: cardId, vetoed_at: vetoedAt }) => ({
    nightId: nightIdOf({ watchlist_id: watchlistId, id }),
    cardId,
    vetoedAt,
  }))
}

/** `except` is the vote whose ballot is replaced. @throws {Problem} BAD_REQUEST. */
export function requireVeto(user: Principal, vetoes: UsedVetoes, except?: VoteRow): void {
  if (vetoesOf(user, vetoes, except).vetoesLeft > 0) return
  throw new Problem('BAD_REQUEST', user.pass ? 'You have no veto left tonight' : 'You have no veto left this month')
}
