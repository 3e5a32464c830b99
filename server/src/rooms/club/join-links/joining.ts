import type { AnyDb } from '@marquee/platform/database/database'
import type { MailQueue } from '@marquee/platform/mail/queue'

import { forgetMailInvitations, makeRoom, removeInvitation } from '../invitations/service.ts'
import type { User } from '../people/service.ts'
import { addMember, type Happened, type WatchlistPorts } from '../watchlists/service.ts'

export type JoiningPorts = Pick<WatchlistPorts, 'clock' | 'facts'> & {
  readonly mail: Pick<MailQueue, 'enqueue' | 'replace' | 'cancel' | 'wake'>
}

type Joining = { watchlistId: string; user: User; at: string; invited: readonly string[]; happened: Happened }

/** Makes a user a member by a link, behind the lock of the watchlist. @throws {Problem} BAD_REQUEST if no place is left. */
export async function becomeMember(
  ports: Pick<JoiningPorts, 'mail' | 'facts'>,
  trx: AnyDb,
  { watchlistId, user, at, invited, happened }: Joining,
): Promise<void> {
  await makeRoom(trx, watchlistId, { invitee: user, now: at })
  await forgetMailInvitations(trx, watchlistId, invited)
  await addMember(trx, { watchlistId, user, at })
  await removeInvitation(ports, trx, { userId: user.userId, watchlistId })
  happened('member.joined')
  happened('link.used')
}
