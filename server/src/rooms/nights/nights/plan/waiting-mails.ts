import type { Night } from '@marquee/contract/entities/night'
import { type Queue, type QueuePorts, startQueue } from '@marquee/platform/queue/queue'
import { HOUR_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'

import { changeInBackground, loadWatchlist } from '../../../club/watchlists/service.ts'
import { presentNight } from '../night/present.ts'
import { findNight } from '../night/store.ts'
import { knownNight, mailMember, type NightMailPorts, readersAmong } from './mails.ts'
import { insertWaitingMails, takeDueMail, type WaitingMail, WAITING_NIGHT_MAILS } from './waiting-mail-store.ts'

export type WaitingMailPorts = NightMailPorts & QueuePorts

const PARALLEL = 2
const RETRY_MS = MINUTE_MS / 2
/** Quiet hours, also on the day on which daylight saving ends. */
const LONGEST_WAIT_MS = 26 * HOUR_MS

/** Mails members about nights that were changed or cancelled during their quiet hours, once these are over. */
export function startWaitingNightMails(ports: WaitingMailPorts): Queue {
  return startQueue<WaitingMail>(ports, {
    name: 'night mails',
    table: WAITING_NIGHT_MAILS,
    parallel: PARALLEL,
    retryMs: RETRY_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    perform: async ([waiting]) => await mailWaiting(ports, waiting),
  })
}

/**
 * Mails the night as it is now. A reader who has left the watchlist, deleted the account, muted the watchlist or turned such mails
 * off gets nothing, and no one gets a mail about a change of a night that has begun.
 */
async function mailWaiting(ports: WaitingMailPorts, waiting: WaitingMail): Promise<void> {
  const { accounts, mail } = ports
  const { watchlist_id: watchlistId, night_id: id, user_id: userId, username } = waiting
  // Before the transaction, because the user pool may be slow.
  const account = await accounts.findUser(username)
  const email = account?.userId === userId ? account.email : undefined
  await changeInBackground(ports, watchlistId, async ({ trx, now, at }) => {
    const taken = await takeDueMail(trx, waiting, now)
    const row = await findNight(trx, { watchlistId, id })
    if (taken === undefined || row === undefined || email === undefined) return
    const { name: watchlistName, members } = await loadWatchlist(ports, trx, watchlistId)
    if (members?.some((member) => member.username === username) !== true) return
    if (hasBegun(presentNight(row, at), at)) return
    const about = { group: 'nights', watchlistId, now, isWaiting: true } as const
    const reader = (await readersAmong(ports, trx, [{ username, userId, email }], about)).get(username)
    if (reader === undefined) return
    if (reader.dueAt > now) {
      await insertWaitingMails(trx, [{ ...taken, due_at: reader.dueAt.getTime() }])
      return
    }
    const before = knownNight(row, taken.was_at, at)
    const news = row.state === 'cancelled' ? 'cancelled' : 'changed'
    await mailMember(ports, trx, { reader, username, watchlistName, row, before, by: taken.changed_by, news, at })
  })
  mail.wake()
}

function hasBegun({ state, times }: Night, now: string): boolean {
  if (state === 'cancelled') return false
  return state !== 'planned' || (times.at(-1)?.startsAt ?? '') <= now
}
