import type { NIGHT_GUEST_ENDPOINTS } from '@marquee/contract/endpoints/night-guests'
import type { Reply } from '@marquee/contract/endpoints'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../../../club/people/service.ts'
import { isMemberOf, type WatchlistPorts } from '../../../club/watchlists/service.ts'
import { markSeenAsGuest } from '../../../movies/viewings/service.ts'
import { changeBehindLock, type Found } from '../night/change.ts'
import { renameViewer } from '../presence/film-store.ts'
import { deleteClaim, endPass, listClaimed, listClaims, type PassRow, saveClaim } from '../night/pass-store.ts'
import { findPassByToken, findPassHolder } from '../night/passes.ts'
import { nightIdOf } from '../night/present.ts'
import { type NightKey, savePresence } from '../night/store.ts'
import { readLatestVote } from '../vote/latest-vote.ts'
import { deleteBallots, moveBallots } from '../vote/vote-store.ts'
import { openVotes } from '../vote/vote-disclosure.ts'
import { keepOnRoll, keepUnnamedOnRoll } from '../vote/votes.ts'

type Facts = Pick<Found, 'now' | 'happened'>
type Claim = Reply<typeof NIGHT_GUEST_ENDPOINTS.claimNight>

const NOT_YOURS = 'This night can no longer be saved to an account'

/**
 * A user was this guest. A member gets the presence, the ballots and the movies watched, and the pass ends. For others the pass goes on under
 * their username, until they are members and arrive, or repeat the call.
 * @throws {Problem} NOT_FOUND if the pass is void, or another user's.
 */
export async function claimNight(ports: WatchlistPorts, user: User, token: string): Promise<Claim> {
  const row = await findPassByToken(ports.database.read, token)
  if (row?.kind !== 'guest' || (row.claimed_by ?? user.userId) !== user.userId)
    throw new Problem('NOT_FOUND', NOT_YOURS)
  const { watchlist_id, night_id, id: passId } = row
  const nightId = nightIdOf({ watchlist_id, id: night_id })
  if (row.claimed_by !== null && row.ended_at !== null) {
    // Their claim has ended the pass, or a member has removed them.
    if (!(await isMemberOf(ports.database.read, watchlist_id, user))) throw new Problem('NOT_FOUND', NOT_YOURS)
    return { nightId, watchlistId: watchlist_id, isMember: true }
  }
  const holder = await findPassHolder(ports, token)
  if (!holder) throw new Problem('NOT_FOUND', NOT_YOURS)
  return await changeBehindLock(ports, holder, 'night.claim', nightId, async (trx, key, found) => {
    const claimedBy = (await findPassByToken(trx, token))?.claimed_by ?? user.userId
    if (claimedBy !== user.userId) throw new Problem('NOT_FOUND', NOT_YOURS)
    const claim = { user_id: user.userId, watchlist_id, night_id, pass_id: passId }
    await saveClaim(trx, claim, user)
    const isMember = await isMemberOf(trx, watchlist_id, user)
    if (isMember) await takePass(trx, key, { user, pass: row, found })
    else await nameViewer(trx, key, { user, passId, found })
    found.happened('guest.claimed')
    return { nightId, watchlistId: watchlist_id, isMember }
  })
}

/** A member who arrives gets what they did as a guest whom they claimed before they were a member. */
export async function takeClaimed(trx: AnyDb, key: NightKey, user: User, found: Facts): Promise<void> {
  for (const pass of await listClaimed(trx, key, user.userId)) await takePass(trx, key, { user, pass, found })
}

/** Gives a member what they did as the guest of a pass, which ends. */
async function takePass(
  trx: AnyDb,
  key: NightKey,
  { user, pass, found }: { user: User; pass: Pick<PassRow, 'id' | 'created_at'>; found: Facts },
): Promise<void> {
  const { userId: user_id, username } = user
  const place = { watchlist_id: key.watchlistId, night_id: key.id }
  const { row: vote, roll, ballots } = await readLatestVote(trx, key)
  // A person with two places on the roll of an open vote keeps them: one less would tell how they have voted.
  const hasTwo = vote?.closed_at === null && openVotes(roll, ballots).people.has(user_id)
  if (hasTwo) await keepOnRoll(trx, key, pass.id, 'left')
  await savePresence(trx, { ...place, user_id, username, since: pass.created_at })
  const claim = { ...place, user_id, pass_id: pass.id }
  await moveBallots(trx, claim, { except: hasTwo ? vote.draw_number : undefined })
  const night = { watchlistId: key.watchlistId, nightId: key.id }
  const cardIds = await renameViewer(trx, { ...night, guestId: pass.id }, user)
  await markSeenAsGuest(trx, user, { ...night, cardIds, at: found.now })
  for (const cardId of cardIds) found.happened('viewing.changed', { cardId, by: username })
  await endPass(trx, key, pass.id, found.now)
}

/** Gives the guest of a pass the username among those who watched the films of the night. */
async function nameViewer(
  trx: AnyDb,
  { watchlistId, id: nightId }: NightKey,
  { user: { username }, passId, found }: { user: User; passId: string; found: Facts },
): Promise<void> {
  const cardIds = await renameViewer(trx, { watchlistId, nightId, guestId: passId }, { userId: passId, username })
  for (const cardId of cardIds) found.happened('viewing.changed', { cardId, by: username })
}

/** The watchlists where a user was a guest of a night. */
export async function listGuestIn(trx: AnyDb, userId: string): Promise<string[]> {
  return (await listClaims(trx, userId)).map((claim) => claim.watchlist_id)
}

/** Removes a user who is deleted from the nights of a watchlist where they were a guest. The caller holds the watchlist. */
export async function forgetGuest(
  trx: AnyDb,
  watchlistId: string,
  userId: string,
  random: WatchlistPorts['random'],
): Promise<void> {
  const claims = await listClaims(trx, userId)
  for (const claim of claims.filter((one) => one.watchlist_id === watchlistId)) {
    const { watchlist_id, night_id, pass_id } = claim
    await keepUnnamedOnRoll(trx, { watchlistId: watchlist_id, id: night_id }, pass_id, { random })
    await deleteClaim(trx, claim)
    await deleteBallots(trx, watchlist_id, [pass_id])
  }
}
