import type { AnyDb } from '@marquee/platform/database/database'

import { deleteMember, listMembers } from './member-store.ts'
import type { MemberPorts } from './members.ts'
import { beginOutsidersChange } from './service.ts'
import { deleteWatchlistRow, findOwnerId, listWatchlistIdsOf, saveWatchlist } from './store.ts'

type Gone = { userId: string; at: string }

/**
 * Takes somebody whose account is deleted out of all their watchlists. What they made in others' company stays, under
 * their name; what they owned passes to whoever has been a member longest; what was theirs alone goes with them.
 */
export async function leaveEverything(trx: AnyDb, invitations: MemberPorts['invitations'], gone: Gone): Promise<void> {
  // Always in the same order, so that two who leave at once do not wait for each other.
  const watchlistIds = (await listWatchlistIdsOf(trx, gone.userId)).toSorted()
  for (const watchlistId of watchlistIds) await leaveOne(trx, invitations, watchlistId, gone)
}

async function leaveOne(
  trx: AnyDb,
  invitations: MemberPorts['invitations'],
  watchlistId: string,
  { userId, at }: Gone,
): Promise<void> {
  if (!(await beginOutsidersChange(trx, watchlistId))) return
  const others = (await listMembers(trx, watchlistId)).filter((member) => member.user_id !== userId)
  const [heir] = others.toSorted((one, other) => (one.joined_at < other.joined_at ? -1 : 1))
  if (heir === undefined) {
    await invitations.forget(trx, watchlistId, [userId, ...(await invitations.listInvitedIds(trx, watchlistId))])
    await deleteWatchlistRow(trx, watchlistId, [userId])
    return
  }
  if ((await findOwnerId(trx, watchlistId)) === userId) {
    await saveWatchlist(trx, watchlistId, {
      owner_id: heir.user_id,
      owner_username: heir.username,
      updated_at: at,
    })
  }
  await deleteMember(trx, watchlistId, userId)
  await invitations.forget(trx, watchlistId, [userId])
}
